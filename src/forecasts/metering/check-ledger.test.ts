import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  addForecastRow,
  FORECAST_MIGRATIONS as migrations,
  setForecastStatus,
} from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import type { ForecastStatus } from '../../contract/index.ts';
import type { Database } from '../../platform/index.ts';
import {
  captureCredits,
  releaseCredits,
  releaseNetworkSlot,
  releaseSlot,
  reserveCredits,
  takeNetworkSlot,
  takeSlot,
} from './charges.ts';
import { checkLedger, isLedgerSound } from './check-ledger.ts';

const NOW = new Date('2026-11-05T10:00:00Z');

forEachDatabase('an empty ledger and a regular one are sound', { migrations }, async ({ database }) => {
  const nothing = { unbalanced: [], open: [], slots: [] };
  assert.deepEqual(await checkLedger(database), { entries: 0, transfers: 0, ...nothing });
  for (const status of ['queued', 'running', 'completed', 'failed'] as const) await forecastIn(database, status);
  const report = await checkLedger(database);
  assert.deepEqual(report, { entries: 12, transfers: 6, ...nothing });
  assert.ok(isLedgerSound(report));
});

forEachDatabase('reports a transfer that does not add up to zero', { migrations }, async ({ database }) => {
  const id = await forecastIn(database, 'completed');
  await sql`
    UPDATE ledger_entry SET amount = -9 WHERE transfer = ${`reserve:${id}`} AND ledger_account = 'available'
  `.execute(database.query());
  const report = await checkLedger(database);
  assert.deepEqual(report.unbalanced, [`reserve:${id}`]);
  assert.deepEqual([report.open, report.slots], [[], []]);
  assert.ok(!isLedgerSound(report));
});

/** What is changed in a sound ledger, and how the report describes it. */
const FINDINGS: readonly [ForecastStatus, change: string, found: string][] = [
  ['completed', `DELETE FROM ledger_entry`, 'completed, not reserved; of 10 credits 0 reserved, 0 spent'],
  ['failed', `DELETE FROM ledger_entry`, 'failed, not reserved; of 10 credits 0 reserved, 0 spent'],
  ['queued', `DELETE FROM ledger_entry`, 'queued, not reserved; of 10 credits 0 reserved, 0 spent'],
  ['running', `DELETE FROM ledger_entry`, 'running, not reserved; of 10 credits 0 reserved, 0 spent'],
  [
    'completed',
    `DELETE FROM ledger_entry WHERE transfer LIKE 'capture:%'`,
    'completed, reserved; of 10 credits 10 reserved, 0 spent',
  ],
  [
    'completed',
    `DELETE FROM ledger_entry WHERE transfer LIKE 'reserve:%'`,
    'completed, not reserved; of 10 credits -10 reserved, 10 spent',
  ],
  [
    'completed',
    `UPDATE forecast SET status = 'failed', result = NULL, error = '{}'`,
    'failed, captured; of 10 credits 0 reserved, 10 spent',
  ],
  [
    'failed',
    `UPDATE forecast SET status = 'completed', result = '{}', error = NULL`,
    'completed, released; of 10 credits 0 reserved, 0 spent',
  ],
  [
    'failed',
    `DELETE FROM ledger_entry WHERE transfer LIKE 'release:%'`,
    'failed, reserved; of 10 credits 10 reserved, 0 spent',
  ],
  ['completed', `UPDATE forecast SET credits = 11`, 'completed, captured; of 11 credits 0 reserved, 10 spent'],
  ['running', `UPDATE forecast SET credits = 11`, 'running, reserved; of 11 credits 10 reserved, 0 spent'],
  [
    'failed',
    `UPDATE ledger_entry SET amount = amount / 2 WHERE transfer LIKE 'release:%'`,
    'failed, released; of 10 credits 5 reserved, 0 spent',
  ],
  [
    'completed',
    `UPDATE ledger_entry SET month = '2026-12' WHERE transfer LIKE 'capture:%'`,
    'completed, charged to several owners or months; of 10 credits 0 reserved, 10 spent',
  ],
  [
    'queued',
    `UPDATE ledger_entry SET owner = 'gst_other'`,
    'queued, charged to another owner; of 10 credits 10 reserved, 0 spent',
  ],
  [
    'completed',
    `INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
     SELECT 'release:' || forecast_id, owner, month, ledger_account, 0 - amount, forecast_id, created_at
     FROM ledger_entry WHERE transfer LIKE 'reserve:%'`,
    'completed, captured and released; of 10 credits -10 reserved, 10 spent',
  ],
];

for (const [status, change, found] of FINDINGS) {
  forEachDatabase(`reports: ${found}`, { migrations }, async ({ database }) => {
    const id = await forecastIn(database, status);
    const undone = new Error('undone');
    // Undone, so that the next test can use the database again.
    const work = database.transaction(async (tx) => {
      // The index would refuse a second settlement.
      await sql`DROP INDEX ledger_settled_once`.execute(tx.query());
      await sql.raw(change).execute(tx.query());
      const report = await checkLedger(tx);
      assert.deepEqual(report.open, [`${id}: ${found}`]);
      assert.deepEqual([report.unbalanced, report.slots], [[], []]);
      assert.ok(!isLedgerSound(report));
      throw undone;
    });
    await assert.rejects(work, undone);
  });
}

forEachDatabase('a removed forecast must be settled', { migrations }, async ({ database }) => {
  await forecastIn(database, 'completed');
  await forecastIn(database, 'failed');
  await sql`DELETE FROM forecast`.execute(database.query());
  assert.ok(isLedgerSound(await checkLedger(database)));
  const id = await forecastIn(database, 'queued');
  await sql`DELETE FROM forecast`.execute(database.query());
  const { open, slots } = await checkLedger(database);
  assert.deepEqual(open, [`${id}: removed, reserved; of 10 credits 10 reserved, 0 spent`]);
  assert.deepEqual(slots, [{ owner: 'gst_queued', active: 1, expected: 0 }]);
});

forEachDatabase('a forecast that was saved by another owner is sound', { migrations }, async ({ database }) => {
  const id = await forecastIn(database, 'completed');
  await sql`UPDATE forecast SET owner = 'gst_other', guest_id = 'gst_other' WHERE id = ${id}`.execute(database.query());
  assert.ok(isLedgerSound(await checkLedger(database)));
});

forEachDatabase(
  'reports owners whose taken slots differ from their forecasts',
  { migrations },
  async ({ database }) => {
    await forecastIn(database, 'queued');
    await forecastIn(database, 'running');
    await forecastIn(database, 'completed');
    await sql`DELETE FROM admission WHERE owner = 'gst_queued'`.execute(database.query());
    await sql`UPDATE admission SET active = 3 WHERE owner = 'gst_running'`.execute(database.query());
    await sql`UPDATE admission SET active = 1 WHERE owner = 'gst_completed'`.execute(database.query());
    const report = await checkLedger(database);
    assert.deepEqual(report.slots, [
      { owner: 'gst_completed', active: 1, expected: 0 },
      { owner: 'gst_queued', active: 0, expected: 1 },
      { owner: 'gst_running', active: 3, expected: 1 },
    ]);
    assert.deepEqual([report.unbalanced, report.open], [[], []]);
    assert.ok(!isLedgerSound(report));
  },
);

forEachDatabase(
  'reports networks whose taken slots differ from their forecasts',
  { migrations },
  async ({ database }) => {
    const queued = await forecastIn(database, 'queued');
    const ended = await forecastIn(database, 'failed');
    await database.transaction(async (tx) => {
      assert.ok(await takeNetworkSlot(tx, 'network:a', queued));
      assert.ok(await takeNetworkSlot(tx, 'network:a', ended));
    });
    const { slots } = await checkLedger(database);
    assert.deepEqual(
      slots,
      [{ owner: 'network:a', active: 2, expected: 1 }],
      'a finished forecast still holds its slot',
    );
    await database.transaction((tx) => releaseNetworkSlot(tx, ended));
    assert.ok(isLedgerSound(await checkLedger(database)));
    await sql`DELETE FROM network_slot`.execute(database.query());
    const lost = await checkLedger(database);
    assert.deepEqual(lost.slots, [{ owner: 'network:a', active: 1, expected: 0 }]);
  },
);

/** Creates a forecast that reached its status in the regular way. */
async function forecastIn(database: Database, status: ForecastStatus): Promise<string> {
  const owner = `gst_${status}`;
  return database.transaction(async (tx) => {
    const id = await addForecastRow(tx, { owner, credits: 10 });
    assert.ok(await takeSlot(tx, owner, 100));
    assert.ok(await reserveCredits(tx, { owner, forecastId: id, credits: 10, limit: 100, now: NOW }));
    await setForecastStatus(tx, id, status);
    if (status === 'queued' || status === 'running') return id;
    await releaseSlot(tx, owner);
    const settle = status === 'completed' ? captureCredits : releaseCredits;
    await settle(tx, { owner, forecastId: id, credits: 10, now: NOW });
    return id;
  });
}
