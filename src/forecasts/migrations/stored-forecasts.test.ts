import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FORECAST_MIGRATIONS } from '../../../test/support/forecasts/forecast-rows.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { migrate } from '../../platform/index.ts';
import { checkStorage } from '../storage/check-storage.ts';

/** The newest migrations of these domains are left out. */
const ADDED: Readonly<Record<string, string>> = {
  snapshots: '0002-stored-bytes',
  workspaces: '0005-stored-files',
  jobs: '0007-stored-forecasts',
};

const before = FORECAST_MIGRATIONS.map(({ domain, migrations }) => ({
  domain,
  migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < (ADDED[domain] ?? '~'))),
}));

forEachDatabase(
  'the migration counts what is stored, and finds guests that were removed before their forecasts',
  { migrations: before },
  async ({ database }) => {
    const run = (text: string) => sql.raw(text).execute(database.query());
    await run(`INSERT INTO account (id, email, email_verified, plan, administrator, created_at, updated_at)
      VALUES ('usr_1', 'a@b.example', false, 'free', false, now(), now())`);
    await run(`INSERT INTO workspace (id, slug, name, owner_account_id, legacy_personal, created_at, updated_at)
      VALUES ('ws_1', 'w', 'w', 'usr_1', false, now(), now())`);
    await run(`INSERT INTO csv_file
        (id, workspace_id, name, created_at, ready_at, bytes, sha256, rows, encoding, delimiter, has_header, columns)
      VALUES ('csv_1', 'ws_1', 'x', now(), now(), 700, '', 0, 'utf-8', ',', true, '[]'),
        ('csv_2', 'ws_1', 'x', now(), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
    await run(`INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
      VALUES ('snap_1', 'one', '{}', 0, 0, '\\x010203', now(), now())`);
    const forecast = (id: string, owner: string, place: string) =>
      run(`INSERT INTO forecast (id, slug, owner, payer, guest_id, account_id, workspace_id, visibility, status, request,
          settings, snapshot_id, checkpoints, credits, job_id, created_at)
        VALUES ('${id}', '${id}', '${owner}', '${owner}', ${place}, 'private', 'queued', '{}', '{}', 'snap_1', '{}', 1, '${id}', now())`);
    await forecast('ef_1', 'usr_1', `NULL, 'usr_1', 'ws_1'`);
    await forecast('ef_2', 'usr_1', `NULL, 'usr_1', 'ws_1'`);
    await forecast('ef_3', 'gst_gone', `'gst_gone', NULL, NULL`);
    await migrate(database, FORECAST_MIGRATIONS);
    const { rows } = await sql`SELECT payer, bytes::int FROM stored_bytes ORDER BY payer`.execute(database.query());
    const one = 4096 + 4;
    assert.deepEqual(rows, [
      { payer: 'gst_gone', bytes: one + 5 },
      { payer: 'ws_1', bytes: 2 * one + 5 + 700 },
    ]);
    const guests = await sql`SELECT id FROM guest_session WHERE expires_at < now()`.execute(database.query());
    assert.deepEqual(guests.rows, [{ id: 'gst_gone' }]);
    for (const statement of [
      `DELETE FROM forecast WHERE id = 'ef_1'`,
      `UPDATE forecast SET status = 'completed', result = '{"a":1}' WHERE id = 'ef_2'`,
      `UPDATE csv_file SET ready_at = NULL WHERE id = 'csv_1'`,
      'DELETE FROM workspace',
    ]) {
      await run(statement);
      assert.deepEqual(await checkStorage(database), [], statement);
    }
    await run(`UPDATE stored_bytes SET bytes = bytes + 1 WHERE payer = 'gst_gone'`);
    assert.deepEqual(await checkStorage(database), [{ payer: 'gst_gone', counted: one + 6, stored: one + 5 }]);
  },
);
