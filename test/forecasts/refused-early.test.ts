import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { createForecast, type JobContext } from '../../src/forecasts/index.ts';
import { admit, leave } from '../../src/forecasts/metering/admission.ts';
import { reserve } from '../../src/forecasts/metering/reserve.ts';
import {
  create,
  dailyPoints,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
describe(`refused before rows are read [${kind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(kind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const snapshots = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) FROM snapshot`.execute(service.database.query());
    return Number(rows[0]?.count);
  };
  /** Rows that nobody else has. */
  const others = (first: number) => ({ source: { type: 'inline', points: dailyPoints(30, Date.UTC(first, 0, 1)) } });

  test('who has no slot left: nothing is frozen', async () => {
    const guest = await service.guest();
    await create(guest);
    const before = await snapshots();
    const refused = await create(guest, others(2001));
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(refused.body, /One forecast of yours may wait or run/);
    assert.equal(await snapshots(), before);
  });

  test('who has no credit left: nothing is frozen, until next month', async () => {
    const person = await service.account('pro');
    const owner = person.accountId ?? '';
    await service.database.transaction(async (tx) => {
      await admit(tx, owner, 1);
      const all = { owner, forecastId: `ef_${owner}`, credits: 50_000, limit: 50_000, now: new Date() };
      assert.ok(await reserve(tx, all));
      await leave(tx, owner);
    });
    const before = await snapshots();
    const refused = await create(person, others(2002));
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(refused.body, /50000 credits of this month are used up/);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal(await snapshots(), before);
  });

  test('not who repeats a request whose first one has just taken the slot', async () => {
    const guest = { kind: 'guest', guestId: 'gst_twice' } as Parameters<typeof createForecast>[1];
    const body = ForecastRequestBody.parse(inlineRequest());
    const ask = (jobs: JobContext) =>
      createForecast(jobs, guest, body, { idempotencyKey: 'twice', network: '192.0.2.1' });
    let first: string | undefined;
    // Asked for after the second request has looked for a first one, and before it looks for a slot.
    const cursorKey = async () => {
      first ??= await ask(service.jobs);
      return service.jobs.cursorKey();
    };
    assert.equal(await ask({ ...service.jobs, cursorKey }), first);
    assert.ok(first);
  });
});
