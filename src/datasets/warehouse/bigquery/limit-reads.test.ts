import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { movableClock } from '../../../../test/support/identity/identity.ts';
import { forEachDatabase } from '../../../../test/support/platform/database.ts';
import { Fault } from '../../../contract/index.ts';
import type { Database } from '../../../platform/index.ts';
import { datasetMigrations } from '../../migrations/index.ts';
import { countRead, forgetReader, removeOldReads, takeReadBack } from './limit-reads.ts';

const OPTIONS = { migrations: [datasetMigrations] };
const MINUTE = 60_000;
const MIB = 1024 ** 2;

function openLimits(database: Database, mibPerDay = 100_000, start = '2026-03-02T10:00:00.250Z') {
  const clock = movableClock(start);
  const context = { database, clock, mibPerDay };
  const count = (accountId = 'acc_1', estimatedBytes = 0) => countRead(context, { accountId, estimatedBytes });
  const refusal = async (accountId?: string, estimatedBytes?: number): Promise<Fault> => {
    const error = await count(accountId, estimatedBytes).then(
      () => assert.fail('the read was counted'),
      (error: unknown) => error,
    );
    assert.ok(error instanceof Fault, String(error));
    return error;
  };
  const stored = async () => {
    const { rows } = await sql<{ bytes: number; account_id: string | null }>`
      SELECT bytes::float8 AS bytes, account_id FROM warehouse_read ORDER BY id`.execute(database.query());
    return rows;
  };
  return { context, clock, count, refusal, stored };
}

forEachDatabase('an account has 20 reads in any 60 minutes', OPTIONS, async ({ database }) => {
  const { clock, count, refusal } = openLimits(database);
  for (let read = 0; read < 20; read++) {
    await count();
    clock.advance(MINUTE);
  }
  const fault = await refusal();
  assert.equal(fault.code, 'RATE_LIMITED');
  // The first read was 20 minutes ago.
  assert.equal(fault.details.retryAfter, 40 * 60);
  assert.match(fault.message, /20 times in an hour.*2026-03-02T11:00:00\.250Z/);
  await count('acc_2');
  clock.advance(40 * MINUTE - 1);
  assert.equal((await refusal()).details.retryAfter, 1);
  clock.advance(1);
  await count();
  assert.equal((await refusal()).details.retryAfter, 60, 'the second read leaves the window a minute later');
});

forEachDatabase(
  'concurrent reads do not exceed the limit, also after the clock is set back',
  OPTIONS,
  async (fixture) => {
    const { clock, count, refusal, stored } = openLimits(fixture.database);
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => count()));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 20);
    assert.equal((await stored()).length, 20);
    clock.advance(-600 * MINUTE);
    assert.equal((await refusal()).details.retryAfter, 3_600, 'no account is blocked for more than an hour');
  },
);

forEachDatabase('a read counts whole MiB, at least 10, for the day of all accounts', OPTIONS, async ({ database }) => {
  const { clock, count, refusal, stored } = openLimits(database, 45, '2026-03-02T23:00:00.500Z');
  await count('acc_1', 1);
  await count('acc_2', 10 * MIB + 1);
  assert.deepEqual(
    (await stored()).map(({ bytes }) => bytes / MIB),
    [10, 11],
  );
  const fault = await refusal('acc_3', 24 * MIB + 1);
  assert.equal(fault.code, 'RATE_LIMITED');
  assert.equal(fault.details.retryAfter, 3_600);
  assert.match(fault.message, /45 MiB .* needs 25 MiB, and 24 MiB are left until 2026-03-03T00:00:00\.000Z/);
  await count('acc_3', 24 * MIB);
  await refusal('acc_4', 0);
  clock.advance(60 * MINUTE - 501);
  assert.equal((await refusal('acc_4')).details.retryAfter, 1);
  clock.advance(1);
  await count('acc_4', 45 * MIB);
});

forEachDatabase('a read that no day has room for is refused for good', OPTIONS, async ({ database }) => {
  const { refusal } = openLimits(database, 9);
  const fault = await refusal();
  assert.equal(fault.code, 'UNPROCESSABLE');
  assert.match(fault.message, /needs 10 MiB, but .* 9 MiB/);
});

forEachDatabase('a read that is taken back counts for no limit', OPTIONS, async ({ database }) => {
  const { context, count, refusal } = openLimits(database, 20);
  await count();
  const id = await count();
  await refusal();
  await takeReadBack(context, id);
  await count();
});

forEachDatabase('removes reads after two days, and the account from its reads', OPTIONS, async ({ database }) => {
  const { context, clock, count, refusal, stored } = openLimits(database, 20);
  await count();
  await database.transaction((tx) => forgetReader(tx, 'acc_1'));
  assert.deepEqual(await stored(), [{ bytes: 10 * MIB, account_id: null }]);
  await count('acc_2');
  await refusal('acc_3');
  clock.advance(48 * 60 * MINUTE);
  await removeOldReads(context);
  assert.equal((await stored()).length, 2);
  clock.advance(1);
  await removeOldReads(context);
  assert.equal((await stored()).length, 0);
});
