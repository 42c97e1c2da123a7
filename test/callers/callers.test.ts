import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MIGRATIONS, QUEUES } from '../../src/compose.ts';
import {
  ERROR_CATALOGUE,
  ErrorBody,
  type ErrorCode,
  errorsOf,
  type Operation,
  type OperationId,
  operations,
  SearchErrorBody,
  usesSearchEnvelope,
} from '../../src/contract/index.ts';
import { openQueue } from '../../src/platform/index.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { availableKinds, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { restingRows } from '../support/rows.ts';
import type { Answer } from './answers.ts';
import { CALLERS, type CallerName } from './callers.ts';
import { ROWS } from './operations.ts';

/** Nothing here is about limits. */
const UNLIMITED = Object.fromEntries(
  ['ANONYMOUS', 'GUEST', 'FREE', 'PRO', 'ENTERPRISE'].map((name) => [`ALMANAC_RATE_${name}`, '1000000']),
);

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(availableKinds.at(-1) ?? 'pglite', { migrations: MIGRATIONS, queue: true });
  const queue = await openQueue(fixture.database, { queues: QUEUES, supervise: false });
  fixture.cleanup(() => queue.stop());
  api = await openApi(fixture.database, UNLIMITED, undefined, queue);
});

after(async () => {
  await api?.app.close();
  await fixture?.[Symbol.asyncDispose]();
});

for (const [id, operation] of Object.entries<Operation>(operations)) {
  const { answers, request } = ROWS[id as OperationId];

  test(`${id} as every caller`, async () => {
    const asks = new Map<CallerName, () => Promise<Answer>>();
    for (const name of Object.keys(CALLERS) as CallerName[]) {
      const caller = await CALLERS[name](api.identity);
      const { params = {}, body } = (await request?.(api.identity, caller)) ?? {};
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param) => params[param] ?? `no ${param} in the row`);
      asks.set(name, async () => {
        const response = await api.app.inject({
          method: operation.method,
          url: `/api${path}`,
          headers: { ...caller.credentials },
          ...(body && { payload: body }),
        });
        return response.statusCode < 300 ? response.statusCode : refusalOf(operation, response);
      });
    }
    const actual: Partial<Record<CallerName, Answer>> = {};
    const isRefusal = (name: CallerName) => typeof answers[name] === 'string';
    // Those that are to be refused come first, so that it can be seen that they changed nothing.
    const untouched = await restingRows(fixture.database);
    for (const [name, ask] of asks) if (isRefusal(name)) actual[name] = await ask();
    const afterRefusals = await restingRows(fixture.database);
    for (const [name, ask] of asks) if (!isRefusal(name)) actual[name] = await ask();

    assert.deepEqual(actual, answers);
    assert.deepEqual(afterRefusals, untouched, 'a refused request changes nothing');
  });
}

type Response = Awaited<ReturnType<TestApi['app']['inject']>>;

/** Status and code of a refusal, which must have the form that is documented for the operation. */
function refusalOf(operation: Operation, response: Response): Answer {
  const { statusCode, headers } = response;
  const code = codeOf(operation, response);
  assert.equal(statusCode, ERROR_CATALOGUE[code].status);
  assert.ok(errorsOf(operation).includes(code), `${code} is among the documented errors`);
  assert.equal('www-authenticate' in headers, code === 'UNAUTHENTICATED' || code === 'SCOPE_DENIED');
  assert.equal(headers['cache-control'], 'no-store');
  return `${statusCode} ${code}`;
}

function codeOf(operation: Operation, response: Response): ErrorCode {
  if (usesSearchEnvelope(operation.path)) return SearchErrorBody.parse(response.json()).error;
  const { error } = ErrorBody.parse(response.json());
  assert.equal(error.request_id, response.headers['x-request-id']);
  return error.code;
}

test('an unknown, a revoked and an expired key are refused with the same words', async () => {
  const headers = { 'x-request-id': '0190163d-8694-739b-aea5-966c26f8ad91' };
  const refusals = await Promise.all(
    (['malformed bearer', 'unknown key', 'revoked key', 'expired key'] as const).map(async (name) => {
      const { credentials } = await CALLERS[name](api.identity);
      const response = await api.app.inject({ url: '/api/v1/me/access', headers: { ...headers, ...credentials } });
      return { body: response.body, challenge: response.headers['www-authenticate'] };
    }),
  );
  assert.equal(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1);
  assert.match(refusals[0]?.body ?? '', /malformed, unknown, expired or revoked/);
  assert.equal(refusals[0]?.challenge, 'Bearer realm="almanac", error="invalid_token"');
});

test('no credential of any caller was logged', async () => {
  const bearers = /alm_(pat|svc|ses|gst)_[0-9A-Za-z]{5}/;
  assert.match(api.logged(), /"path":"\/api\/v1\/me\/access"/);
  assert.doesNotMatch(api.logged(), bearers);
});
