import { type ErrorCode, usesSearchEnvelope } from '../../contract/index.ts';
import { pathOf } from './path.ts';

export const BASE_PATH = '/api';

/** The failure body of a path: Search and Download have their own shape. */
export function errorBody(url: string, code: ErrorCode, message: string, requestId: string): object {
  return usesSearchEnvelope(withoutBase(pathOf(url)))
    ? { ok: false, error: code, message }
    : { error: { code, message, request_id: requestId } };
}

function withoutBase(path: string): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : '';
}
