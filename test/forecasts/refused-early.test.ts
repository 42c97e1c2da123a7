import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ForecastRequestBody } from '../../src/contract/index.ts';
import { createForecast, type ForecastContext } from '../../src/forecasts/index.ts';
import { releaseSlot, reserveCredits, takeSlot } from '../../src/forecasts/metering/charges.ts';
import {
  create,
  dailyPoints,
  type ForecastService,
  inlineRequest,
  openForecastService,
} from '../support/forecasts/forecast-service.ts';
import { testedKind } from '../support/platform/database.ts';

const kind = testedKind;
describe(`refusals before rows are read [${kind}]`, () => {
  let service: ForecastService;
  before(async () => {
    service = await openForecastService(kind);
  });
  after(() => service?.[Symbol.asyncDispose]());

  const countSnapshots = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) FROM snapshot`.execute(service.database.query());
    return Number(rows[0]?.count);
  };
  /** Returns rows that no other test uses. */
  const newRows = (first: number) => ({ source: { type: 'inline', points: dailyPoints(30, Date.UTC(first, 0, 1)) } });

  test('freezes nothing for a caller without a free slot', async () => {
    const guest = await service.guest();
    await create(guest);
    const before = await countSnapshots();
    const refused = await create(guest, newRows(2001));
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(refused.body, /You can have one forecast queued or running\. No slot is left for this one\./);
    assert.equal(await countSnapshots(), before);
  });

  test('freezes nothing for a caller without credits', async () => {
    const caller = await service.account('pro');
    const owner = caller.accountId ?? '';
    await service.database.transaction(async (tx) => {
      await takeSlot(tx, owner, 1);
      const all = { owner, forecastId: `ef_${owner}`, credits: 50_000, limit: 50_000, now: new Date() };
      assert.ok(await reserveCredits(tx, all));
      await releaseSlot(tx, owner);
    });
    const before = await countSnapshots();
    const refused = await create(caller, newRows(2002));
    assert.deepEqual([refused.status, refused.code], [429, 'QUOTA_EXCEEDED']);
    assert.match(refused.body, /"0 of your 50000 credits for this month are left/);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal(await countSnapshots(), before);
  });

  test('accepts a repeated request whose first one has just taken the slot', async () => {
    const guest = { kind: 'guest', guestId: 'gst_twice' } as Parameters<typeof createForecast>[1];
    const body = ForecastRequestBody.parse(inlineRequest());
    const createAgain = (context: ForecastContext) =>
      createForecast(context, guest, body, { idempotencyKey: 'twice', network: '192.0.2.1' });
    let first: string | undefined;
    // The second request reads this key after it has found no earlier request and before it checks the slots.
    const guestNetworkKey = async () => {
      first ??= await createAgain(service.forecasts);
      return service.forecasts.guestNetworkKey();
    };
    assert.equal(await createAgain({ ...service.forecasts, guestNetworkKey }), first);
    assert.ok(first);
  });
});
