import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { type ErrorCode, Fault, type FaultDetails } from '../../contract/index.ts';
import { handleErrors } from './error-response.ts';

/** Returns the headers of the response to a fault, with or without a credential in the request. */
async function headersOf(code: ErrorCode, details: FaultDetails, authorization?: string) {
  const app = fastify();
  handleErrors(app, () => 'https://almanac.example');
  app.get('/', async () => {
    throw new Fault(code, 'Because.', details);
  });
  const { headers } = await app.inject({ url: '/', headers: authorization === undefined ? {} : { authorization } });
  return headers;
}

const METADATA = 'resource_metadata="https://almanac.example/.well-known/oauth-protected-resource"';

// RFC 6750, 3: no error information for a request that lacked any authentication.
test('a 401 without a credential names the scheme and the resource metadata', async () => {
  const headers = await headersOf('UNAUTHENTICATED', {});
  assert.equal(headers['www-authenticate'], `Bearer realm="almanac", ${METADATA}`);
});

test('a 401 with an invalid credential of any scheme names the error', async () => {
  for (const credential of ['Bearer x', 'Basic eDp5', '']) {
    const headers = await headersOf('UNAUTHENTICATED', {}, credential);
    assert.equal(headers['www-authenticate'], `Bearer realm="almanac", error="invalid_token", ${METADATA}`);
  }
});

test('a 403 for a missing scope names the scope', async () => {
  const headers = await headersOf('SCOPE_DENIED', { missingScope: 'account:read' }, 'Bearer x');
  assert.equal(headers['www-authenticate'], 'Bearer realm="almanac", error="insufficient_scope", scope="account:read"');
});

test('other errors have no challenge', async () => {
  for (const code of ['PLAN_REQUIRED', 'ACCOUNT_REQUIRED', 'ORIGIN_DENIED', 'NOT_FOUND', 'INTERNAL'] as const) {
    assert.equal('www-authenticate' in (await headersOf(code, {}, 'Bearer x')), false, code);
  }
});

test('only 429 and 503 have Retry-After, which is never zero', async () => {
  assert.equal((await headersOf('RATE_LIMITED', { retryAfter: 17 }))['retry-after'], '17');
  assert.equal((await headersOf('QUOTA_EXCEEDED', {}))['retry-after'], '1');
  assert.equal((await headersOf('UNAVAILABLE', {}))['retry-after'], '1');
  assert.equal('retry-after' in (await headersOf('CONFLICT', { retryAfter: 3 })), false);
});
