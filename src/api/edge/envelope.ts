import { type ErrorCode, usesSearchEnvelope } from '../../contract/index.ts';

export const BASE_PATH = '/api';

/** The failure body of a path: Search and Download have their own shape. */
export function errorBody(url: string, code: ErrorCode, message: string, requestId: string): object {
  const path = url.split('?', 1)[0] ?? '';
  return usesSearchEnvelope(withoutBase(path))
    ? { ok: false, error: code, message }
    : { error: { code, message, request_id: requestId } };
}

function withoutBase(path: string): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : '';
}
