import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import fc, { type Parameters } from 'fast-check';
import { pathOf } from '../../src/api/edge/paths.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { usesSearchEnvelope } from '../../src/contract/index.ts';
import { signIn } from '../../src/identity/index.ts';
import type { IdentityTables } from '../../src/identity/tables.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { type HttpResponse, listenOnLoopback, send, sendBytes } from '../support/api/http.ts';
import { PASSWORD } from '../support/identity/callers.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { type Callers, makeCallers } from './callers.ts';
import { checkAnyResponse, checkDocumentedResponse, checkFailure } from './check-response.ts';
import { HOSTILE_HEADERS } from './hostile-headers.ts';
import { STRANGE_PATHS } from './hostile-paths.ts';
import { KnownIds } from './known-ids.ts';
import { type ApiOperation, type OpenApiDocument, operationsOf } from './openapi.ts';
import { rawRequests } from './raw-requests.ts';
import { type FuzzRequest, requestsOf } from './requests.ts';
import { createSchemaCheck, type FindViolation } from './schema-violations.ts';

/** The number of all requests, however many operations there are. A soak sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 500);
const SEED = Number(process.env.FUZZ_SEED ?? 20);
/** The requests of a batch are sent at the same time, so that requests of all kinds run concurrently. */
const BATCH = 6;
/** A request that takes this long hangs. */
const BOUND_MS = 30_000;
const LIMIT = '1000000';

const COMMON = {
  ALMANAC_BODY_LIMIT: '65536',
  ALMANAC_RATE_GUEST: LIMIT,
  ALMANAC_RATE_FREE: LIMIT,
  ALMANAC_RATE_PRO: LIMIT,
  ALMANAC_RATE_ENTERPRISE: LIMIT,
};
const ENVIRONMENTS = {
  plain: { ...COMMON, ALMANAC_RATE_ANONYMOUS: LIMIT },
  // As behind a proxy: forwarded headers are trusted, another origin may call, and addresses reach their rate limit.
  proxied: {
    ...COMMON,
    ALMANAC_RATE_ANONYMOUS: '60',
    ALMANAC_TRUSTED_PROXIES: 'loopback',
    ALMANAC_CORS_ORIGINS: 'https://console.example',
  },
};

let fixture: TestDatabase;
const services: Partial<Record<FuzzRequest['service'], TestApi & { port: number }>> = {};
let callers: Callers;
let ids: KnownIds;
let document: OpenApiDocument;
let findViolation: FindViolation;
let operations: ApiOperation[];
let sent = 0;
const statuses = new Map<number, number>();

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  for (const name of ['plain', 'proxied'] as const) {
    const api = await openApi(fixture.database, ENVIRONMENTS[name]);
    services[name] = { ...api, port: await listenOnLoopback(api.app) };
  }
  const { identity, port } = service('plain');
  callers = await makeCallers(identity);
  ids = new KnownIds(callers.protectedIds);
  document = JSON.parse(String((await send(port, { path: '/api/openapi.json' })).body));
  findViolation = createSchemaCheck(document);
  operations = operationsOf(document);
  assert.ok(operations.length >= 9, 'the document was read');
});
after(async () => {
  for (const { app } of Object.values(services)) await app.close();
  await fixture[Symbol.asyncDispose]();
});

function service(name: FuzzRequest['service']): TestApi & { port: number } {
  const found = services[name];
  assert.ok(found);
  return found;
}

function parameters<T>(requests: number): Parameters<T> {
  return {
    numRuns: Math.ceil(requests / BATCH),
    // The message names the request that failed. Shrinking would send thousands more to a service that has changed
    // meanwhile.
    endOnFailure: true,
    seed: SEED,
  };
}

/** Generates batches of one size, so that the number of requests is known. */
function batchesOf<T>(requests: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(requests, { minLength: BATCH, maxLength: BATCH });
}

interface Exchange {
  readonly path: string;
  readonly answer: HttpResponse;
  /** Whether Node's parser refused the head for its size, before there was a request. */
  readonly unread: boolean;
}

async function exchange(request: FuzzRequest): Promise<Exchange> {
  const parts = request.path.map((part) => {
    if (typeof part === 'string') return part;
    return 'text' in part ? part.text : encodeURIComponent(ids.at(part.known));
  });
  const path = parts.join('') + request.query;
  const { body } = request;
  const framing = body && (request.chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length });
  // A proxy forwards requests of many clients.
  const client = { 'x-forwarded-for': `198.51.100.${Math.floor(sent / 100) % 250}` };
  const headers = { ...client, ...(await callers.credentialsOf(request.caller)), ...request.headers, ...framing };
  const answer = await send(service(request.service).port, {
    method: request.method,
    path,
    headers,
    timeoutMs: BOUND_MS,
    ...(body && { body: request.chunked ? [body.subarray(0, 10), body.subarray(10)] : body }),
  });
  sent++;
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  const unread = answer.status === 431 && path.length + JSON.stringify(headers).length > 14_000;
  return { path, answer, unread };
}

/** Runs a check and adds the request to its error. */
async function withRequest(request: unknown, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`${fc.stringify(request).slice(0, 2_000)}\n${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

// One test with steps: the last one checks what the requests of the others have left behind.
test('withstands hostile requests', async (context) => {
  await context.test('every operation responds to any request as the document describes', fuzzOperations);
  await context.test('errors of unknown paths and methods have the envelope of their family', fuzzPaths);
  await context.test('malformed HTTP gets a response or a closed connection', fuzzBytes);
  await context.test('the services still respond, the accounts are intact and no error was logged', checkAftermath);
});

async function fuzzOperations(context: TestContext): Promise<void> {
  const known = { email: [callers.account.email], password: [PASSWORD] };
  for (const operation of operations) {
    await context.test(`${operation.method} ${operation.path}`, async () => {
      const property = fc.asyncProperty(batchesOf(requestsOf(operation, document, known)), async (batch) => {
        await Promise.all(
          batch.map((request) =>
            withRequest(request, async () => {
              const { answer, unread } = await exchange(request);
              if (unread) return;
              const sentId = request.headers['x-request-id'];
              const reply = checkDocumentedResponse(operation, findViolation, request.method, sentId, answer);
              if (answer.status < 300) ids.addFrom(reply);
            }),
          ),
        );
      });
      await fc.assert(property, parameters((0.7 * REQUESTS) / operations.length));
      await removeCreatedKeys();
    });
  }
}

async function fuzzPaths(): Promise<void> {
  const paths = fc.oneof(STRANGE_PATHS, fc.constantFrom(...operations.map(({ path }) => path)));
  const methods = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'QUERY',
    'M-SEARCH',
    'LINK',
  );
  const requests = fc.record<FuzzRequest>({
    service: fc.constantFrom('plain', 'proxied'),
    method: methods,
    path: paths.map((path) => [path]),
    query: fc.constant(''),
    caller: fc.constantFrom('no credential', 'key', 'session', 'unknown key'),
    headers: fc.oneof(fc.constant({}), HOSTILE_HEADERS),
    body: fc.option(
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
      { nil: undefined },
    ),
    chunked: fc.boolean(),
  });
  const property = fc.asyncProperty(batchesOf(requests), async (batch) => {
    await Promise.all(
      batch.map((request) =>
        withRequest(request, async () => {
          const { path, answer, unread } = await exchange(request);
          if (unread) return;
          const body = checkAnyResponse(request.method, request.headers['x-request-id'], answer);
          if (answer.status >= 400 && request.method !== 'HEAD') checkFailure(familyOf(path), body, answer);
        }),
      ),
    );
  });
  await fc.assert(property, parameters(0.15 * REQUESTS));
}

async function fuzzBytes(): Promise<void> {
  const property = fc.asyncProperty(batchesOf(rawRequests(operations)), async (batch) => {
    await Promise.all(
      batch.map((bytes) =>
        withRequest(bytes.toString('latin1'), async () => {
          const text = await sendBytes(service('plain').port, bytes, { end: true, timeoutMs: BOUND_MS });
          sent++;
          for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) assert.ok(Number(status) < 500, text);
          // Bytes that are not a request get one response, which is complete.
          if (text.includes('not a valid HTTP request')) assert.match(text, /\{"error":\{[^{}]*\}\}$/);
        }),
      ),
    );
  });
  await fc.assert(property, parameters(0.15 * REQUESTS));
}

async function checkAftermath(context: TestContext): Promise<void> {
  const key = await callers.credentialsOf('key');
  for (const { port, logged } of [service('plain'), service('proxied')]) {
    assert.equal((await send(port, { path: '/health/ready' })).status, 200);
    const access = JSON.parse(String((await send(port, { path: '/api/v1/me/access', headers: key })).body));
    assert.deepEqual([access.data.user.id, access.data.user.email], [callers.account.id, callers.account.email]);
    assert.equal(access.data.personal_plan, 'pro');
    // Requests may have created others; the personal one still exists, and each has its owner.
    const workspaces = access.data.workspaces as { legacy_personal: boolean; owner_user_id: string }[];
    assert.equal(workspaces.filter(({ legacy_personal }) => legacy_personal).length, 1);
    assert.ok(workspaces.every(({ owner_user_id }) => owner_user_id === callers.account.id));
    const faults = logged()
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line));
    assert.deepEqual(faults, []);
  }
  const { database } = fixture;
  const accounts = await database
    .query<IdentityTables>()
    .selectFrom('account')
    .select(['email', 'plan', 'administrator'])
    .execute();
  assert.equal(accounts.length, 4, 'no request created an account');
  assert.equal(accounts.filter(({ administrator }) => administrator).length, 1);
  assert.ok(
    await signIn(service('plain').identity, { email: callers.account.email, password: PASSWORD, userAgent: null }),
  );
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal('polluted' in {}, false);

  const seen = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  context.diagnostic(`${sent} requests; ${seen.join(', ')}`);
  // Requests that are all refused early would prove nothing.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 415, 429])
    assert.ok(statuses.has(status), `no response had the status ${status}`);
}

function familyOf(path: string): 'resource' | 'search' {
  const decoded = pathOf(path);
  return decoded.startsWith('/api/') && usesSearchEnvelope(decoded.slice('/api'.length)) ? 'search' : 'resource';
}

/** Removes the created keys: an account can have a hundred, and the next operation creates more. */
async function removeCreatedKeys(): Promise<void> {
  await fixture.database
    .query<IdentityTables>()
    .deleteFrom('api_key')
    .where('id', 'not in', [...callers.protectedIds])
    .execute();
}
