import { sql } from 'kysely';
import type { Executor } from '../database/index.ts';
import { type DomainMigrations, hashMigrations, migrateWithin } from '../database/migrate.ts';
import { queueTablesScript } from '../queue/create-tables.ts';
import { BackupError } from './backup-error.ts';
import { RowDigest } from './copied-rows.ts';
import { listTables, readQueueVersion } from './list-tables.ts';
import type { Manifest, TableStart } from './manifest.ts';
import { describeContent, openForRows, setSequences } from './prepare-tables.ts';
import { type BackupFile, readTables } from './read-backup.ts';
import type { TableAccess, TableShape } from './table-access.ts';
import type { BackupProgress } from './write-backup.ts';

export interface RestoreOptions {
  readonly backup: BackupFile;
  readonly manifest: Manifest;
  /** The migrations of this build. */
  readonly domains: readonly DomainMigrations[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BackupProgress & { readonly step: 'restoring' | 'checking' }) => void;
}

/** Throws unless this build can create the tables of the backup. */
export async function requireKnownMigrations(
  { path }: BackupFile,
  { build, migrations }: Manifest,
  domains: readonly DomainMigrations[],
): Promise<void> {
  const known = new Map((await hashMigrations(domains)).map(({ domain, name, hash }) => [`${domain}/${name}`, hash]));
  const names = migrations.map(({ domain, name }) => `${domain}/${name}`);
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `${path} was made by build ${build}, which has migrations that this build does not have: ${unknown.join(', ')}. ` +
        'Nothing was changed. Restore it with that build or a newer one.',
    );
  }
  const changed = migrations.filter(
    ({ domain, name, hash }) => hash !== null && known.get(`${domain}/${name}`) !== hash,
  );
  if (changed.length > 0) {
    const listed = changed.map(({ domain, name }) => `${domain}/${name}`).join(', ');
    throw new BackupError(
      `${path} was made by a build with another form of the migrations ${listed}. Nothing was changed. ` +
        'Restore it with the build that made it.',
    );
  }
}

/** Throws if the database contains anything. */
export async function requireEmpty(access: TableAccess): Promise<void> {
  const content = await describeContent(access.executor);
  if (content === null) return;
  throw new BackupError(
    `The database is not empty. It has ${content}. Nothing was changed. ` +
      'Create an empty database, for example with createdb, and set DATABASE_URL to it.',
  );
}

/**
 * Creates the tables as they were when the backup was made, fills them, compares every row with the backup, and migrates
 * them to this build. The caller commits.
 */
export async function restoreTables(access: TableAccess, options: RestoreOptions): Promise<void> {
  const { backup, manifest, domains } = options;
  const { executor } = access;
  await migrateWithin(executor, onlyThose(domains, manifest));
  if (manifest.queue !== null) {
    await access.runScript(queueTablesScript());
    const version = await readQueueVersion(executor);
    if (version !== manifest.queue) {
      throw new BackupError(
        `The queue of ${backup.path} has version ${manifest.queue}, and this build creates version ${version}. ` +
          `Restore it with build ${manifest.build}, then start this one, which migrates the queue.`,
      );
    }
  }
  const shapes = new Map((await listTables(executor)).map((shape) => [shape.name, shape]));
  const close = await openForRows(executor, [...shapes.values()]);
  const total = sumOf(manifest.tables);
  let done = { rows: 0, bytes: 0 };
  for await (const { table, rows } of readTables(backup)) {
    const shape = shapeOf(backup, shapes, table);
    await access.writeRows(
      shape,
      watchRows(rows, options, (soFar) => {
        options.onProgress({ step: 'restoring', table: table.name, ...addTo(done, soFar), totalBytes: total.bytes });
      }),
    );
    const found = manifest.tables.find(({ name }) => name === table.name);
    done = addTo(done, found ?? { rows: 0, bytes: 0 });
  }
  await compareRows(access, options, shapes);
  await setSequences(executor, manifest.sequences);
  await shareObjects(executor);
  await close();
  await migrateWithin(executor, domains);
}

/** Marks the objects as shared: the database that the backup was made of may still run, and names them as well. */
async function shareObjects(executor: Executor): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass('stored_object') IS NOT NULL AS exists`.execute(
    executor.query(),
  );
  if (rows[0]?.exists) await sql`UPDATE stored_object SET shared = true`.execute(executor.query());
}

/** Reads every table again and compares the hashes of its rows with those of the backup. */
async function compareRows(
  access: TableAccess,
  { backup, manifest, onProgress, signal }: RestoreOptions,
  shapes: ReadonlyMap<string, TableShape>,
): Promise<void> {
  const total = sumOf(manifest.tables);
  let done = { rows: 0, bytes: 0 };
  for (const table of manifest.tables) {
    const digest = new RowDigest();
    for await (const rows of access.readRows(shapeOf(backup, shapes, table))) {
      signal.throwIfAborted();
      digest.add(rows);
      onProgress({ step: 'checking', table: table.name, ...addTo(done, digest.summary()), totalBytes: total.bytes });
    }
    const found = digest.summary();
    if (found.rows !== table.rows || found.digest !== table.digest) {
      throw new BackupError(
        `The restored table ${table.name} has ${found.rows} rows that are not the ${table.rows} rows of ${backup.path}. ` +
          'Nothing was kept. Report this with the version of the database server.',
      );
    }
    done = addTo(done, found);
  }
}

/** Returns the table of this database with the columns that the backup has. */
function shapeOf(backup: BackupFile, shapes: ReadonlyMap<string, TableShape>, table: TableStart): TableShape {
  const shape = shapes.get(table.name);
  const missing = shape === undefined ? [] : table.columns.filter((column) => !shape.columns.includes(column));
  if (shape === undefined || missing.length > 0) {
    const what = shape === undefined ? `the table ${table.name}` : `the columns ${missing.join(', ')} of ${table.name}`;
    throw new BackupError(
      `${backup.path} has ${what}, which this build does not create. Nothing was kept. ` +
        'Move tables of other programs out of the schema of Almanac before you make a backup.',
    );
  }
  return { ...shape, columns: table.columns };
}

async function* watchRows(
  rows: AsyncIterable<Buffer>,
  { signal }: RestoreOptions,
  onRows: (soFar: { rows: number; bytes: number }) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of rows) {
    signal.throwIfAborted();
    yield piece;
    bytes += piece.length;
    onRows({ rows: 0, bytes });
  }
}

/** Returns the migrations that had run when the backup was made. */
function onlyThose(domains: readonly DomainMigrations[], { migrations: done }: Manifest): DomainMigrations[] {
  return domains.map(({ domain, migrations }) => ({
    domain,
    migrations: Object.fromEntries(
      Object.entries(migrations).filter(([name]) => done.some((one) => one.domain === domain && one.name === name)),
    ),
  }));
}

interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

function addTo(a: Amount, b: Amount): Amount {
  return { rows: a.rows + b.rows, bytes: a.bytes + b.bytes };
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(addTo, { rows: 0, bytes: 0 });
}

/** Lets the database measure its tables, so that the first queries are planned well. */
export async function analyzeTables(access: TableAccess): Promise<void> {
  await sql`ANALYZE`.execute(access.executor.query());
}
