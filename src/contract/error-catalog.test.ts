import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CATALOG, ERROR_CODES } from './error-catalog.ts';
import { ErrorBody, SearchErrorBody, usesSearchEnvelope } from './replies.ts';

const STATUSES: Record<number, readonly string[]> = {
  400: ['INVALID_REQUEST'],
  401: ['UNAUTHENTICATED'],
  403: [
    'SCOPE_DENIED',
    'SOURCE_DENIED',
    'PLAN_REQUIRED',
    'LICENSE_DENIED',
    'WORKSPACE_DENIED',
    'ACCOUNT_REQUIRED',
    'SESSION_REQUIRED',
    'ADMINISTRATOR_REQUIRED',
    'ACCOUNT_LOCKED',
    'EMAIL_NOT_VERIFIED',
    'OWNERSHIP_REQUIRED',
    'ORIGIN_DENIED',
  ],
  404: ['NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: ['CONFLICT', 'NOT_COMPLETED', 'IDEMPOTENCY_MISMATCH', 'LIMIT_REACHED'],
  412: ['PRECONDITION_FAILED'],
  413: ['TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['UNPROCESSABLE', 'INSUFFICIENT_HISTORY'],
  429: ['RATE_LIMITED', 'QUOTA_EXCEEDED'],
  500: ['INTERNAL'],
  502: ['PROVIDER_FAILED'],
  503: ['UNAVAILABLE'],
};

test('maps every code to its status', () => {
  const byStatus = Object.groupBy(ERROR_CODES, (code) => ERROR_CATALOG[code].status);
  assert.deepEqual({ ...byStatus }, STATUSES);
});

test('describes every code in a sentence', () => {
  for (const code of ERROR_CODES) assert.match(ERROR_CATALOG[code].when, /^[A-Z].{20,}\.$/, code);
});

test('error bodies have exactly the documented fields', () => {
  const general = { error: { code: 'NOT_FOUND', message: 'no', request_id: '0190163d-8694-739b-aea5-966c26f8ad91' } };
  const search = { ok: false, error: 'NOT_FOUND', message: 'no' };
  assert.ok(ErrorBody.safeParse(general).success);
  assert.ok(SearchErrorBody.safeParse(search).success);
  for (const broken of [
    { error: { ...general.error, code: 'SOMETHING' } },
    { error: { ...general.error, request_id: 'req-1' } },
    { error: { ...general.error, stack: 'at …' } },
    { ...general, meta: {} },
    search,
  ])
    assert.ok(!ErrorBody.safeParse(broken).success, JSON.stringify(broken));
  for (const broken of [general, { ...search, ok: true }, { ...search, request_id: 'x' }])
    assert.ok(!SearchErrorBody.safeParse(broken).success, JSON.stringify(broken));
});

test('accepts a UUID of any version as a request id', () => {
  for (const request_id of [
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '12345678-1234-1234-1234-123456789012',
    '00000000-0000-0000-c000-000000000046',
  ])
    assert.ok(ErrorBody.safeParse({ error: { code: 'INTERNAL', message: '', request_id } }).success, request_id);
});

test('uses the search error body only under the paths of Search and Download', () => {
  const paths = {
    '/v1/market-search': true,
    '/v1/market-search/describe': true,
    '/market-data/stocks/history': true,
    '/market-data': true,
    '/v1/market-searches': false,
    '/v1/market-data': false,
    '/v1/me/access': false,
    '/v1/forecasts/market-search': false,
    '': false,
  };
  for (const [path, expected] of Object.entries(paths)) assert.equal(usesSearchEnvelope(path), expected, path);
});
