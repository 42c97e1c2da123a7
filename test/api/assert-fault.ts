import assert from 'node:assert/strict';
import { ERROR_CATALOG, ErrorBody, type ErrorCode, SearchErrorBody } from '../../src/contract/index.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export type Family = 'resource' | 'search';

/** Checks that a response is the error `code` in its family's envelope, with all common headers. @returns the message */
export function assertFault(response: Response, code: ErrorCode, family: Family = 'resource'): string {
  const { statusCode, headers, body } = response;
  assert.equal(statusCode, ERROR_CATALOG[code].status, body);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(String(headers['x-request-id']), UUID);
  assert.equal('www-authenticate' in headers, statusCode === 401 || code === 'SCOPE_DENIED');
  assert.equal('retry-after' in headers, statusCode === 429 || statusCode === 503);
  if (family === 'search') {
    const { error, message } = SearchErrorBody.parse(JSON.parse(body));
    assert.equal(error, code);
    return message;
  }
  const { error } = ErrorBody.parse(JSON.parse(body));
  assert.equal(error.code, code);
  assert.equal(error.request_id, headers['x-request-id']);
  return error.message;
}
