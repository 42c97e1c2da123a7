import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { formatMigration, readRecordedMigrations } from '../../scripts/docs/migration-hashes.ts';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { type Executor, hashMigrations } from '../../src/platform/index.ts';
import { forEachDatabase } from '../support/platform/database.ts';

test('has every migration as it was recorded', async () => {
  const migrations = await hashMigrations(MIGRATIONS);
  const found = migrations.map(({ domain, name, hash, migration }) => [
    `${domain}/${name}`,
    formatMigration(hash, migration),
  ]);
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(readRecordedMigrations()),
    'Databases have run these migrations: undo the edit and add a new migration. For a new migration: npm run docs',
  );
});

/** The migrations that complete databases which ran an early form of an edited migration. */
const COMPLETING = [
  ['identity', '0006-key-makers'],
  ['scout', '0002-final-times'],
  ['screener', '0002-shared-symbols'],
] as const;

/** Returns the schema, without the order of columns and the names that the database gives to checks. */
async function readSchema(executor: Executor): Promise<unknown> {
  const columns = sql<{ line: string }>`
    SELECT concat_ws(' ', table_name, column_name, udt_name, is_nullable, column_default) AS line
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY line`;
  const indexes = sql<{ line: string }>`
    SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' ORDER BY line`;
  const constraints = sql<{ line: string }>`
    SELECT concat_ws(' ', conrelid::regclass, CASE contype WHEN 'c' THEN '' ELSE conname END, pg_get_constraintdef(oid)) AS line
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY line`;
  const parts: unknown[] = [];
  for (const query of [columns, indexes, constraints]) parts.push((await query.execute(executor.query())).rows);
  return parts;
}

/** Ends the test's transaction, so that the database keeps the schema that other tests expect. */
class RollbackError extends Error {}

forEachDatabase('completes the early forms of edited migrations', { migrations: MIGRATIONS }, async ({ database }) => {
  const inTransaction = database.transaction(async (tx) => {
    const run = (text: string) => sql.raw(text).execute(tx.query());
    const schema = await readSchema(tx);
    await run('ALTER TABLE api_key DROP COLUMN made_by');
    await run('ALTER TABLE daily_metrics DROP COLUMN shared');
    await run('ALTER TABLE event_forecast DROP COLUMN asked_slug, DROP COLUMN final_at');
    await run(`
      DO $$ DECLARE name text; BEGIN
        SELECT conname INTO name FROM pg_constraint WHERE conrelid = 'event_forecast'::regclass
          AND pg_get_constraintdef(oid) LIKE '%(resolution_rule IS NULL) OR (observed_until IS NOT NULL)%';
        EXECUTE format('ALTER TABLE event_forecast DROP CONSTRAINT %I', name);
      END $$`);
    await run(`
      ALTER TABLE event_forecast
        ADD CHECK (num_nulls(resolution_rule, observed_until, read_until) IN (0, 3))`);
    await run(`
      INSERT INTO account (id, email, email_verified, plan, administrator, created_at, updated_at)
      VALUES ('acc_1', 'a@b.example', true, 'free', false, now(), now())`);
    await run(`
      INSERT INTO event_forecast (
        id, slug, author_account_id, visibility, category, entity_type, entity_name, entity_ticker, question,
        resolution_deadline, resolution_rule, observed_until, read_until, created_at, revision, probability,
        possible_future_headline, input_cutoff_at, revised_at, status)
      SELECT id, id, 'acc_1', 'private', 'c', 't', 'n', '', 'q', now(), rule, observed, observed, now(), 1, 0.5, 'h',
        now(), now(), 'pending'
      FROM (VALUES
        ('ruled', '{"settle_days": 2}'::json, '2026-11-01T12:00:00Z'::timestamptz),
        ('unruled', NULL, NULL)) AS early(id, rule, observed)`);

    assert.notDeepEqual(await readSchema(tx), schema);
    for (const [domain, name] of COMPLETING) {
      const migration = MIGRATIONS.find((one) => one.domain === domain)?.migrations[name];
      assert.ok(migration);
      // The second time, as in a new database, it changes nothing.
      await migration.up(tx.query());
      await migration.up(tx.query());
    }
    const { rows } = await sql<{ id: string; asked_slug: string; final_at: Date | null }>`
      SELECT id, asked_slug, final_at FROM event_forecast ORDER BY id`.execute(tx.query());
    assert.deepEqual(rows, [
      { id: 'ruled', asked_slug: 'ruled', final_at: new Date('2026-11-03T12:00:00Z') },
      { id: 'unruled', asked_slug: 'unruled', final_at: null },
    ]);
    assert.deepEqual(await readSchema(tx), schema);
    throw new RollbackError();
  });
  await assert.rejects(inTransaction, RollbackError);
});
