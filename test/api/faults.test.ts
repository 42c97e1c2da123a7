import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { DatabaseClosedError } from '../../src/platform/index.ts';
import { openApi, type TestApi } from '../support/api/api.ts';
import { openTestDatabase, type TestDatabase, testedKind } from '../support/platform/database.ts';
import { assertFault, type Family } from './assert-fault.ts';

const SECRET = 'host=10.1.2.3 password=hunter2';
const BASES: Record<Family, string> = { resource: '/api/v1/broken', search: '/api/market-data/broken' };

function withProperties(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

/** Values that a handler can throw, by name. */
const THROWN: Record<string, () => unknown> = {
  error: () => new Error(SECRET),
  'type-error': () => new TypeError(SECRET),
  text: () => SECRET,
  null: () => null,
  undefined: () => undefined,
  object: () => ({ message: SECRET, statusCode: 418 }),
  // Other libraries add the status of a response they received to their errors.
  'foreign-status': () => withProperties(SECRET, { statusCode: 404, code: 'UPSTREAM' }),
  conflict: () => withProperties('could not serialize access', { code: '40001' }),
  deadlock: () => withProperties('deadlock detected', { code: '40P01' }),
  refused: () => withProperties(`connect ECONNREFUSED ${SECRET}`, { code: 'ECONNREFUSED' }),
  closed: () => new DatabaseClosedError(),
  wrapped: () => new Error('query failed', { cause: withProperties('gone', { code: '57P01' }) }),
};

let fixture: TestDatabase;
let api: TestApi;

before(async () => {
  fixture = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  api = await openApi(fixture.database, {}, (app) => {
    for (const base of Object.values(BASES)) {
      for (const [name, thrown] of Object.entries(THROWN)) {
        app.get(`${base}/${name}`, async () => {
          throw thrown();
        });
      }
    }
    app.get(
      '/api/v1/broken/reply',
      { schema: { response: { 200: z.strictObject({ fine: z.boolean() }) } } },
      async () => ({
        fine: SECRET,
      }),
    );
    app.get('/api/v1/broken/unwritable', async () => ({ number: 1n }));
  });
});
after(async () => {
  await api.app.close();
  await fixture[Symbol.asyncDispose]();
});

function logOf(requestId: unknown): { level: number; msg?: string; err?: { stack?: string } }[] {
  const lines = api
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"${requestId}"`));
  return lines.map((line) => JSON.parse(line));
}

for (const family of ['resource', 'search'] as const) {
  for (const name of ['error', 'type-error', 'text', 'null', 'undefined', 'object', 'foreign-status']) {
    test(`${family}: a thrown ${name} is a plain 500 whose details are only in the log`, async () => {
      const response = await api.app.inject(`${BASES[family]}/${name}`);
      assertFault(response, 'INTERNAL', family);
      assert.doesNotMatch(response.body, /hunter2|stack|\.ts|Error:/);
      const entry = logOf(response.headers['x-request-id']).find(({ level }) => level === 50);
      assert.equal(entry?.msg, 'unexpected error');
      if (name.endsWith('error')) assert.match(entry?.err?.stack ?? '', /hunter2[\s\S]*faults\.test\.ts/);
    });
  }

  for (const name of ['conflict', 'deadlock', 'refused', 'closed', 'wrapped']) {
    test(`${family}: the database error "${name}" gets 503 with Retry-After`, async () => {
      const response = await api.app.inject(`${BASES[family]}/${name}`);
      assertFault(response, 'UNAVAILABLE', family);
      assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/);
      assert.doesNotMatch(response.body, /hunter2|ECONN|40P01/);
    });
  }
}

test('a response that does not match its schema is a plain 500 while responses are checked', async () => {
  const response = await api.app.inject('/api/v1/broken/reply');
  assertFault(response, 'INTERNAL');
  assert.doesNotMatch(response.body, /hunter2|fine/);
  assert.match(JSON.stringify(logOf(response.headers['x-request-id'])), /fine/);
});

test('a response that JSON cannot represent is a plain 500', async () => {
  assertFault(await api.app.inject('/api/v1/broken/unwritable'), 'INTERNAL');
});

test('a closed database makes every operation 503 for every caller', async () => {
  await using closed = await openTestDatabase(testedKind, { migrations: MIGRATIONS });
  const { app } = await openApi(closed.database);
  assertFault(await app.inject('/api/v1/me/access'), 'UNAUTHENTICATED');
  await closed.database.close();
  const requests = [
    ['POST', '/api/v1/guest-sessions', 'resource'],
    ['GET', '/api/v1/nothing', 'resource'],
    ['GET', '/api/market-data/nothing', 'search'],
    ['GET', '/api/market-data/%zz', 'search'],
  ] as const;
  for (const [index, [method, url, family]] of requests.entries()) {
    // Each request has its own address, whose limit must be read from the database.
    assertFault(await app.inject({ method, url, remoteAddress: `10.0.0.${index}` }), 'UNAVAILABLE', family);
  }
  await app.close();
});
