import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ERROR_CATALOG, ErrorBody, type ErrorCode, SearchErrorBody } from '../../src/contract/index.ts';
import type { HttpResponse } from '../support/api/http.ts';
import type { ApiOperation } from './openapi.ts';
import type { FindViolation } from './schema-violations.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks what holds for every response. Returns the parsed body, or undefined for HEAD. */
export function checkAnyResponse(method: string, sentId: string | undefined, answer: HttpResponse): unknown {
  const { status, headers } = answer;
  assert.ok(status >= 200 && status < 500, `status ${status}: ${answer.body}`);
  assert.match(String(headers['x-request-id']), UUID);
  if (sentId !== undefined && UUID.test(sentId)) assert.equal(headers['x-request-id'], sentId);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  if (status === 401) assert.match(String(headers['www-authenticate']), /^Bearer realm="almanac"/);
  if (status === 429) assert.match(String(headers['retry-after']), /^[1-9]\d?$/);
  if (status === 405)
    assert.ok(headers.allow && !headers.allow.split(', ').includes(method), `Allow: ${headers.allow}`);
  if (method === 'HEAD' || status === 204) {
    assert.equal(answer.body.length, 0);
    return undefined;
  }
  if (!/json/.test(String(headers['content-type'])) && status < 400) return undefined;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  return JSON.parse(decompress(answer));
}

/** Checks the response of a documented operation: its status, its body and its error code are documented. */
export function checkDocumentedResponse(
  operation: ApiOperation,
  findViolation: FindViolation,
  method: string,
  sentId: string | undefined,
  answer: HttpResponse,
): unknown {
  const body = checkAnyResponse(method, sentId, answer);
  const documented = operation.responses.get(answer.status);
  assert.ok(documented, `${operation.id} returned ${answer.status}, which is not documented: ${answer.body}`);
  if (method === 'HEAD') return undefined;
  // A file that is not JSON, such as an archive, has no schema.
  if (answer.status < 400 && body === undefined && documented.schema === undefined) return undefined;
  assert.ok(documented.schema, `${answer.status} of ${operation.id} has no schema`);
  assert.equal(findViolation(documented.schema, body), null, String(answer.body));
  if (answer.status >= 400) {
    const code = codeOf(body);
    assert.equal(ERROR_CATALOG[code].status, answer.status);
    assert.ok(documented.description.includes(`${code}: `), `${operation.id} does not document ${code}`);
    checkRequestId(body, answer);
  }
  return body;
}

/** Checks an error of an undocumented path: the path decides the envelope. */
export function checkFailure(family: 'resource' | 'search', body: unknown, answer: HttpResponse): void {
  const code = family === 'search' ? SearchErrorBody.parse(body).error : ErrorBody.parse(body).error.code;
  assert.equal(ERROR_CATALOG[code].status, answer.status);
  checkRequestId(body, answer);
}

function codeOf(body: unknown): ErrorCode {
  const search = SearchErrorBody.safeParse(body);
  return search.success ? search.data.error : ErrorBody.parse(body).error.code;
}

function checkRequestId(body: unknown, answer: HttpResponse): void {
  const resource = ErrorBody.safeParse(body);
  if (resource.success) assert.equal(resource.data.error.request_id, answer.headers['x-request-id']);
}

function decompress({ headers, body }: HttpResponse): string {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body).toString();
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  assert.equal(headers['content-encoding'], undefined);
  return body.toString();
}
