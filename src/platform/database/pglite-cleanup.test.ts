import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/platform/database.ts';
import { engineOf } from './engine.ts';
import { startCleanup, vacuumOrCheckpoint } from './pglite-cleanup.ts';

async function pgliteWithTable() {
  const fixture = await openTestDatabase('pglite');
  const engine = engineOf(fixture.database);
  assert.ok(engine.kind === 'pglite');
  await sql`create table "Odd name" (id int8, text text)`.execute(fixture.database.query());
  return { fixture, pglite: engine.pglite };
}

test('checkpoints a long log, then vacuums the changed table, then does nothing', async () => {
  const { fixture, pglite } = await pgliteWithTable();
  await using _ = fixture;
  assert.equal(await vacuumOrCheckpoint(pglite), 'nothing');
  await pglite.exec(`insert into "Odd name" select n, repeat('x', 1000) from generate_series(1, 40000) n`);
  assert.equal(await vacuumOrCheckpoint(pglite), 'checkpoint');
  // PostgreSQL counts changed rows at most once a second, at the end of a statement.
  let action = await vacuumOrCheckpoint(pglite);
  for (let tries = 0; action !== 'vacuum' && tries < 20; tries++) {
    await sleep(300);
    await pglite.exec('select 1');
    action = await vacuumOrCheckpoint(pglite);
  }
  assert.equal(action, 'vacuum');
  const { rows } = await pglite.query<{ reltuples: number }>(
    `select reltuples from pg_class where relname = 'Odd name'`,
  );
  assert.equal(rows[0]?.reltuples, 40000);
  const rest = [await vacuumOrCheckpoint(pglite), await vacuumOrCheckpoint(pglite)]; // the vacuum may have filled the log again
  assert.equal(rest[1], 'nothing');
});

test('logs a failed round and continues with the next one', async () => {
  const { fixture, pglite } = await pgliteWithTable();
  await using _ = fixture;
  const lines: string[] = [];
  const broken = { query: () => Promise.reject(new Error('no')) } as unknown as typeof pglite;
  const stop = startCleanup(broken, { warn: (_details, message) => lines.push(message) }, { intervalMs: 5 });
  while (lines.length < 2) await sleep(5);
  await stop();
  assert.equal(lines[0], 'database cleanup failed');
});
