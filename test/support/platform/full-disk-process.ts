// Runs on a file system of its own and prints what happens when it is full; see full-disk.test.ts.
//
//   node full-disk-process.ts PLACES FOLDER TEMPLATE

import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../src/platform/index.ts';
import { openApi } from '../api/api.ts';
import { ID, openCheckpointScene } from '../compute/checkpoint-scene.ts';
import { makeAccount, withKey } from '../identity/callers.ts';
import { personalWorkspace } from '../workspaces/workspaces.ts';

const MIB = 1024 * 1024;
const [place = '', folder = '', template = ''] = process.argv.slice(2);
const data = join(folder, 'data');
const filler = join(folder, 'filler');

/** Fills the disk until only `mib` are free. */
function fill(mib: number): void {
  rmSync(filler, { force: true });
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - mib * MIB)));
}

function report(seen: object): void {
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'stored',
    (error) => (error as { code?: string }).code ?? (error as Error).name,
  );
}

/** Below the minimum, requests that write get 503; reads work; everything works again when space returns. */
async function requests(): Promise<void> {
  const database = await openDatabase({ folder: data, minFreeMib: 20 });
  const { app, identity, logged } = await openApi(database, { ALMANAC_DATA: data });
  const account = await makeAccount(identity);
  const headers = await withKey(identity, account.id);
  const csv = `/api/v1/workspaces/${(await personalWorkspace(database, account.id)).slug}/csv`;
  const upload = async (name: string) => {
    const payload = 'date,value\n2024-01-01,1\n2024-01-02,2\n2024-01-03,3\n';
    const url = `${csv}?name=${name}.csv`;
    return app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': 'text/csv' }, payload });
  };
  const get = (url: string) => app.inject({ url, headers });
  // Each limit selects other rows, which are a snapshot of their own.
  const freeze = (limit: number) =>
    app.inject({
      method: 'POST',
      url: '/api/market-data/stocks/history',
      headers,
      payload: { symbol: 'AAPL', timeframe: '1D', limit },
    });
  const look = async (name: string, limit: number) => {
    const [uploaded, snapshot, read, ready] = [
      await upload(name),
      await freeze(limit),
      await get('/api/v1/me/access'),
      await get('/health/ready'),
    ];
    const files = await get(csv);
    return {
      upload: uploaded.statusCode,
      code: uploaded.json().error?.code,
      message: uploaded.json().error?.message,
      snapshot: snapshot.statusCode,
      read: read.statusCode,
      ready: [ready.statusCode, ready.json().reason],
      files: files.json().data.files.length,
    };
  };
  const before = await look('before', 500);
  fill(10);
  const full = await look('full', 1000);
  rmSync(filler);
  const after = await look('after', 1000);
  report({ before, full, after, logged: logged().includes('database unavailable') });
  await app.close();
  await database.close();
}

const insertMegabyte = (database: Database, id: number) =>
  sql`INSERT INTO filled (id, content) VALUES (${id}, ${randomBytes(MIB).toString('base64')})`.execute(
    database.query(),
  );

/** Without a minimum: tables and temporary files that do not fit fail with the database's code, and it continues. */
async function tables(): Promise<void> {
  const database = await openDatabase({ folder: data });
  await sql`CREATE TABLE filled (id int, content text)`.execute(database.query());
  await insertMegabyte(database, 0);
  fill(1);
  const table = await codeOf(insertMegabyte(database, 1));
  await sql`SET work_mem = '64kB'`.execute(database.query());
  const spill = sql`SELECT count(*) FROM (SELECT md5(n::text) AS h FROM generate_series(1, 100000) n ORDER BY 1) sorted`;
  const temporary = await codeOf(spill.execute(database.query()));
  rmSync(filler);
  const after = await codeOf(insertMegabyte(database, 2));
  const { rows } = await sql`SELECT id FROM filled ORDER BY id`.execute(database.query());
  await database.close();

  fill(3);
  const created = join(folder, 'new');
  const fresh = await codeOf(openDatabase({ folder: created }));
  const left = existsSync(created) ? readdirSync(created).filter((name) => name.startsWith('database')) : [];
  rmSync(filler);
  report({ table, temporary, after, rows, template: fresh, left });
}

/** Writes until the write-ahead log needs a segment that does not fit. Prints each row that was acknowledged. */
async function log(): Promise<void> {
  const database = await openDatabase({ folder: data });
  await sql`CREATE TABLE filled (id int, content text)`.execute(database.query());
  // Tables have space; a segment of 16 MiB does not. The content is compressed, the log is not.
  fill(12);
  for (let id = 0; id < 1_000; id += 1) {
    await sql`INSERT INTO filled (id, content) VALUES (${id}, ${'x'.repeat(100_000)})`.execute(database.query());
    await sql`SELECT pg_logical_emit_message(false, 'filler', ${'y'.repeat(900_000)})`.execute(database.query());
    report({ acknowledged: id });
  }
}

/** Opens the database again after `log`, as a supervisor would. */
async function restart(): Promise<void> {
  rmSync(filler, { force: true });
  const database = await openDatabase({ folder: data, minFreeMib: 20 });
  const { rows } = await sql<{ id: number }>`SELECT id FROM filled ORDER BY id`.execute(database.query());
  report({ rows: rows.map(({ id }) => id) });
  await database.close();
}

/** A download of a checkpoint that does not fit is named, installs nothing and continues when space returns. */
async function checkpoint(): Promise<void> {
  process.env.TMPDIR = folder;
  await using scene = await openCheckpointScene();
  fill(0);
  const full = await scene.pull().then(
    () => 'installed',
    (error: Error) => error.message.replace(scene.folders.installed, 'FOLDER'),
  );
  const installed = existsSync(scene.folders.installed)
    ? readdirSync(scene.folders.installed).filter((name) => !name.startsWith('.'))
    : [];
  rmSync(filler);
  const { id } = (await scene.pull()).checkpoint;
  report({ full, installed, isInstalledLater: id === ID, left: scene.leftOvers() });
}

if (!existsSync(data)) cpSync(template, data, { recursive: true });
const PLACES: Record<string, () => Promise<void>> = { requests, tables, log, restart, checkpoint };
await PLACES[place]?.();
