import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { migrate } from '../../platform/index.ts';
import * as forecasts from './0001-forecasts.ts';
import * as networkSlots from './0002-network-slots.ts';
import * as settledOnce from './0003-settled-once.ts';

const before = FORECAST_MIGRATIONS.map((domain) =>
  domain.domain === 'jobs'
    ? {
        domain: 'jobs',
        migrations: {
          '0001-forecasts': forecasts,
          '0002-network-slots': networkSlots,
          '0003-settled-once': settledOnce,
        },
      }
    : domain,
);

forEachDatabase(
  'the migration sets the payer of each forecast from the ledger',
  { migrations: before },
  async (fixture) => {
    const { database } = fixture;
    await sql`
    INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
    VALUES ('snap_1', 'none', '{}', 0, 0, '', now(), now())`.execute(database.query());
    for (const [id, owner] of [
      ['ef_own', 'gst_anna'],
      ['ef_saved', 'gst_bert'],
      ['ef_without_entries', 'gst_carl'],
    ]) {
      await sql`
      INSERT INTO forecast
        (id, slug, owner, guest_id, visibility, status, request, settings, snapshot_id, checkpoints, credits, job_id, created_at)
      VALUES (${id}, ${id}, ${owner}, ${owner}, 'private', 'queued', '{}', '{}', 'snap_1', '{}', 1, ${id}, now())
    `.execute(database.query());
    }
    // One guest paid for it, and another caller has saved it.
    for (const [id, owner] of [
      ['ef_own', 'gst_anna'],
      ['ef_saved', 'gst_anna'],
    ]) {
      await sql`
      INSERT INTO ledger_entry (transfer, owner, month, ledger_account, amount, forecast_id, created_at)
      VALUES (${`reserve:${id}`}, ${owner}, '2026-11', 'available', -1, ${id}, now()),
        (${`reserve:${id}`}, ${owner}, '2026-11', 'reserved', 1, ${id}, now())
    `.execute(database.query());
    }
    await migrate(database, FORECAST_MIGRATIONS);
    const { rows } = await sql`SELECT id, owner, payer FROM forecast ORDER BY id`.execute(database.query());
    assert.deepEqual(rows, [
      { id: 'ef_own', owner: 'gst_anna', payer: 'gst_anna' },
      { id: 'ef_saved', owner: 'gst_bert', payer: 'gst_anna' },
      { id: 'ef_without_entries', owner: 'gst_carl', payer: 'gst_carl' },
    ]);
  },
);
