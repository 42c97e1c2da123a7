import { type FileHandle, open } from 'node:fs/promises';
import type { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { RowDigest } from './copied-rows.ts';
import type { BackupKey } from './file-key.ts';
import { About, Manifest, StoredFile, TableStart } from './manifest.ts';
import { type BackupRecord, decodeRecords, RECORDS } from './records.ts';
import { digestOf } from './write-backup.ts';

/** An open backup. It stays the same file if another one takes its name. */
export interface BackupFile extends AsyncDisposable {
  readonly path: string;
  readonly size: number;
  readonly handle: FileHandle;
  readonly key: BackupKey;
}

export async function openBackup(path: string, key: BackupKey): Promise<BackupFile> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === 'ENOENT' ? `${path}: there is no such file. Check the path.` : `${path}: ${error.message}.`,
    );
  });
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    throw new BackupError(`${path} is not a file. Check the path.`);
  }
  return { path, size: found.size, handle, key, [Symbol.asyncDispose]: () => handle.close() };
}

export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly files: readonly StoredFile[];
}

/**
 * Reads a whole backup and checks its bytes, its rows and its files against its own description of them. Throws a
 * `BackupError` for any difference.
 */
export async function checkBackup(
  backup: BackupFile,
  onBytes: (bytes: number) => void = () => {},
): Promise<CheckedBackup> {
  const files: StoredFile[] = [];
  const tables: (TableStart & ReturnType<RowDigest['summary']>)[] = [];
  let table: TableStart | undefined;
  let digest = new RowDigest();
  let manifest: Manifest | undefined;
  let bytes = 0;
  for await (const record of readRecords(backup)) {
    if (manifest !== undefined) throw unexpected(backup);
    bytes += record.bytes.length;
    if (record.kind === RECORDS.rows) digest.add(record.bytes);
    else if (record.kind === RECORDS.about) parse(backup, About, record);
    else if (record.kind === RECORDS.table) {
      table = parse(backup, TableStart, record);
      digest = new RowDigest();
    } else if (record.kind === RECORDS.tableEnd && table !== undefined) {
      tables.push({ ...table, ...digest.summary() });
    } else if (record.kind === RECORDS.file) files.push(parse(backup, StoredFile, record));
    else if (record.kind === RECORDS.manifest) manifest = parse(backup, Manifest, record);
    else throw unexpected(backup);
    onBytes(bytes);
  }
  if (manifest === undefined) throw unexpected(backup);
  const contents = files.map(({ name, content }) => ({ name, sha256: digestOf(Buffer.from(content, 'base64')) }));
  if (!isSame(manifest.tables, tables) || !isSame(manifest.files, contents)) {
    throw new BackupError(
      `${backup.path} does not have the rows that it lists. Nothing was changed. Use another backup.`,
    );
  }
  return { manifest, files };
}

/** Yields each table of a backup with its rows. Read the rows of a table before the next table. */
export async function* readTables(
  backup: BackupFile,
): AsyncGenerator<{ readonly table: TableStart; readonly rows: AsyncIterable<Buffer> }> {
  const records = readRecords(backup);
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      if (next.value.kind === RECORDS.table)
        yield { table: parse(backup, TableStart, next.value), rows: readRows(records) };
    }
  } finally {
    await records.return(undefined);
  }
}

async function* readRows(records: AsyncGenerator<BackupRecord>): AsyncGenerator<Buffer> {
  for (let next = await records.next(); !next.done; next = await records.next()) {
    if (next.value.kind !== RECORDS.rows) return;
    yield next.value.bytes;
  }
}

function readRecords({ handle, path, key }: BackupFile): AsyncGenerator<BackupRecord> {
  return decodeRecords(handle, path, key);
}

function parse<Output>({ path }: BackupFile, schema: z.ZodType<Output>, { bytes }: BackupRecord): Output {
  const parsed = schema.safeParse(JSON.parse(bytes.toString()));
  if (parsed.success) return parsed.data;
  throw new BackupError(`${path} has another form than this build reads. Restore it with the build that made it.`);
}

function unexpected({ path }: BackupFile): BackupError {
  return new BackupError(`${path} has another form than this build reads. Restore it with the build that made it.`);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
