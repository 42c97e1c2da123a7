import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  foldersTooDeep,
  formatsMixed,
  formsConflict,
  tableFileNameUnsupported,
  tooManyFiles,
  warehouseFolderUnsupported,
} from './faults.ts';
import { isPartitionFolder, type PartitionValues, readPartitions } from './partitions.ts';
import { type FileVersion, isSameVersion } from './version-cache.ts';

export type TableFormat = 'parquet' | 'csv';

export interface TableFile extends FileVersion {
  /** The name of the file for messages: its path in the warehouse folder. */
  readonly name: string;
  readonly partitions: PartitionValues;
}

export interface TableFiles {
  readonly format: TableFormat;
  /** At least one file, in the order of their names. */
  readonly files: readonly TableFile[];
}

export const MAX_TABLES = 1_000;
/** The largest number of files and folders of a table. */
export const MAX_FILES = 10_000;
const MAX_DEPTH = 8;

const TABLE_NAME = /^[a-z0-9_]{1,64}$/;
const TABLE_FILE = /^([a-z0-9_]{1,64})\.(?:parquet|csv)$/;
/** DuckDB ends the value of a partition at some of these. The last one replaces bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const UNSUPPORTED = /[?\\\u0000-\u001f\u007f\ufffd]/;

/**
 * Returns the path of the warehouse folder without symbolic links. A path whose folders DuckDB would read as partitions is
 * refused.
 */
export async function resolveWarehouseFolder(folder: string): Promise<string> {
  const root = await realpath(folder);
  if (UNSUPPORTED.test(root) || root.split('/').some(isPartitionFolder)) throw warehouseFolderUnsupported();
  return root;
}

/**
 * Returns the files of a table, or null if it does not exist. A table is the file NAME.parquet or NAME.csv or a folder NAME
 * with such files. Symbolic links and special files are ignored, as are names that start with a dot or an underscore.
 *
 * @param root the path that `resolveWarehouseFolder` returned
 * @param maxFiles is smaller in tests
 */
export async function findTableFiles(root: string, name: string, maxFiles = MAX_FILES): Promise<TableFiles | null> {
  if (!TABLE_NAME.test(name)) return null;
  const [parquet, csv, folder] = await Promise.all([
    statFile(root, [`${name}.parquet`]),
    statFile(root, [`${name}.csv`]),
    isFolder(join(root, name)),
  ]);
  const forms = [parquet?.name, csv?.name, folder ? `${name}/` : undefined].filter((form) => form !== undefined);
  const [form, other] = forms;
  if (form !== undefined && other !== undefined) throw formsConflict(name, form, other);
  if (parquet !== null) return { format: 'parquet', files: [parquet] };
  if (csv !== null) return { format: 'csv', files: [csv] };
  return folder ? await findFolderFiles(root, name, maxFiles) : null;
}

/**
 * Returns the names of the tables in the warehouse folder, sorted, whether or not they can be read.
 *
 * @param maxTables is smaller in tests
 * @returns `leftOut`: the number of tables beyond the limit, which are not returned
 */
export async function listLocalTables(
  root: string,
  maxTables = MAX_TABLES,
): Promise<{ readonly names: string[]; readonly leftOut: number }> {
  const names = new Set<string>();
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const name = entry.isFile() ? TABLE_FILE.exec(entry.name)?.[1] : entry.name;
    if (name !== undefined && TABLE_NAME.test(name) && (entry.isFile() || isTableFolder(entry))) names.add(name);
  }
  const sorted = [...names].sort();
  return { names: sorted.slice(0, maxTables), leftOut: Math.max(0, sorted.length - maxTables) };
}

/**
 * Returns whether no file was written, replaced or removed since it was found, and no folder on the way to it was replaced
 * by a link.
 */
export async function isUnchanged(files: readonly FileVersion[]): Promise<boolean> {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const folder of folders) {
    if ((await realpath(folder).catch(() => null)) !== folder) return false;
  }
  for (const file of files) {
    const stats = await statOf(file.path);
    if (!stats?.isFile() || !isSameVersion(file, toVersion(file.path, stats))) return false;
  }
  return true;
}

/** Returns a file; null if it is not a regular file. */
async function statFile(root: string, path: readonly string[]): Promise<TableFile | null> {
  const absolute = join(root, ...path);
  const stats = await statOf(absolute);
  if (!stats?.isFile()) return null;
  const name = path.join('/');
  return { ...toVersion(absolute, stats), name, partitions: readPartitions(path.slice(1, -1), name) };
}

function toVersion(path: string, stats: BigIntStats): FileVersion {
  return { path, size: Number(stats.size), modifiedNs: stats.mtimeNs, inode: stats.ino };
}

/** Returns a file at a path that is known to have no symbolic links. */
export async function findSingleFile(path: string, name: string): Promise<TableFile | null> {
  const stats = await statOf(path);
  return stats?.isFile() ? { ...toVersion(path, stats), name, partitions: new Map() } : null;
}

async function findFolderFiles(root: string, table: string, maxFiles: number): Promise<TableFiles | null> {
  const found: Record<TableFormat, string[][]> = { parquet: [], csv: [] };
  let count = 0;
  const folders = [[table]];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    for (const entry of await readdir(join(root, ...path), { withFileTypes: true })) {
      const format = formatOf(entry);
      if (format === null && !isTableFolder(entry)) continue;
      const below = [...path, entry.name];
      if (UNSUPPORTED.test(entry.name)) throw tableFileNameUnsupported(below.join('/'));
      if (++count > maxFiles) throw tooManyFiles(table, maxFiles);
      if (format !== null) found[format].push(below);
      else if (path.length > MAX_DEPTH) throw foldersTooDeep(table, MAX_DEPTH);
      else folders.push(below);
    }
  }
  const [parquet, csv] = [found.parquet[0], found.csv[0]];
  if (parquet !== undefined && csv !== undefined) throw formatsMixed(parquet.join('/'), csv.join('/'));
  const format = csv === undefined ? 'parquet' : 'csv';
  const files = await statFiles(root, found[format]);
  return files.length === 0 ? null : { format, files };
}

/** Returns the files that still exist. A file may be removed while the folder is read. */
async function statFiles(root: string, paths: readonly string[][]): Promise<TableFile[]> {
  const files: TableFile[] = [];
  const BATCH = 64;
  for (let start = 0; start < paths.length; start += BATCH) {
    const stats = await Promise.all(paths.slice(start, start + BATCH).map((path) => statFile(root, path)));
    files.push(...stats.filter((file) => file !== null));
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function formatOf(entry: Dirent): TableFormat | null {
  if (!entry.isFile() || isHidden(entry.name)) return null;
  if (entry.name.endsWith('.parquet')) return 'parquet';
  return entry.name.endsWith('.csv') ? 'csv' : null;
}

function isTableFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !isHidden(entry.name);
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_');
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
