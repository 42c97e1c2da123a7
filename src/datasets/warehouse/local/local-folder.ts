import { createHash } from 'node:crypto';
import { Fault } from '../../../contract/index.ts';
import { type Clock, type Log, LruCache, once } from '../../../platform/index.ts';
import { BUNDLED_TABLE, findBundledFiles, readBundledOrigin } from './bundled-table.ts';
import { type CsvHead, readCsvHead } from './csv-head.ts';
import { warehouseFolderMissing } from './faults.ts';
import {
  findTableFiles,
  listLocalTables,
  MAX_TABLES,
  resolveWarehouseFolder,
  type TableFile,
  type TableFiles,
} from './find-table-files.ts';
import { type LocalTable, type MetadataReaders, OPERATOR_ORIGIN, readLocalTable } from './local-table.ts';
import { FooterReader } from './parquet-footer.ts';
import { VersionCache, versionKey } from './version-cache.ts';

export interface LocalFolderOptions {
  /** The warehouse folder; null if there is none. */
  readonly path: string | null;
  readonly log: Pick<Log, 'warn'>;
  readonly clock: Clock;
}

/** The tables of the warehouse folder and the bundled one. */
export interface LocalFolder {
  /** @param name with or without `local.` */
  describe(name: string, signal?: AbortSignal): Promise<LocalTable | null>;
  list(): Promise<readonly LocalTable[]>;
  /** Returns whether a table is installed with the service, and not replaced by one of the operator. */
  isBundled(name: string): Promise<boolean>;
  version(): Promise<string>;
  close(): Promise<void>;
}

/** The largest number of columns of CSV files whose heads are kept. */
const MAX_HEAD_COLUMNS = 1_000_000;
/** The tables whose metadata are kept as a whole. The metadata of their files are kept longer. */
const MAX_DESCRIBED = 8;
const VERSION_MS = 5_000;
/** The files whose versions are compared. A folder with more takes too long to check every few seconds. */
const MAX_VERSION_FILES = 20_000;

/** Opens the warehouse folder when it is first used. Metadata of files are kept until the files change. */
export function createLocalFolder({ path, log, clock }: LocalFolderOptions): LocalFolder {
  const footers = new FooterReader();
  const heads = new VersionCache<CsvHead>(MAX_HEAD_COLUMNS, ({ header }) => header.length + 1);
  const readers: MetadataReaders = {
    readFooter: (file) => footers.read(file),
    readHead: async (file) => {
      const head = heads.get(file) ?? (await readCsvHead(file));
      heads.set(file, head);
      return head;
    },
  };
  const resolveRoot = once(async () => (path === null ? null : await resolveWarehouseFolder(path)));
  const findRoot = () => duringAccess(resolveRoot);
  const described = new LruCache<string, { readonly version: string; readonly table: LocalTable }>({
    maxEntries: MAX_DESCRIBED,
  });
  const logged = new Map<string, string>();

  /** Writes a warning once, until the reason changes. */
  const warn = (name: string, reason: string): void => {
    if (logged.get(name) === reason) return;
    logged.set(name, reason);
    log.warn({ table: name, reason }, 'a local table cannot be read');
  };

  const findFiles = async (name: string): Promise<{ files: TableFiles; isBundled: boolean } | null> => {
    const root = await findRoot();
    const own = root === null ? null : await duringAccess(() => findTableFiles(root, name));
    if (own !== null) return { files: own, isBundled: false };
    const bundled = name === BUNDLED_TABLE ? await findBundledFiles() : null;
    return bundled && { files: bundled, isBundled: true };
  };

  const describe = async (reference: string, signal?: AbortSignal): Promise<LocalTable | null> => {
    const name = withoutPrefix(reference);
    const found = await findFiles(name);
    signal?.throwIfAborted();
    if (found === null) return null;
    const { files, isBundled } = found;
    const version = files.files.map(versionKey).join('\n');
    const known = described.get(name);
    if (known?.version === version) return known.table;
    const origin = isBundled ? await readBundledOrigin() : OPERATOR_ORIGIN;
    const table = await readLocalTable(name, files, readers, { ...origin, isBundled }, signal);
    described.set(name, { version, table });
    return table;
  };

  const listNames = async (): Promise<string[]> => {
    const root = await findRoot();
    const { names, leftOut } =
      root === null ? { names: [], leftOut: 0 } : await duringAccess(() => listLocalTables(root));
    if (leftOut > 0) warn('*', `${leftOut} tables exceed the limit of ${MAX_TABLES} and are not found by the search`);
    return [...new Set([...names, BUNDLED_TABLE])].sort();
  };

  const readVersion = async (): Promise<string> => {
    const hash = createHash('sha256');
    let left = MAX_VERSION_FILES;
    for (const name of await listNames()) {
      hash.update(`${name}\n`);
      if (left === 0) continue;
      const files: readonly TableFile[] = (await ignoreFaults(findFiles(name)))?.files.files ?? [];
      for (const file of files.slice(0, left)) hash.update(`${versionKey(file)}\n`);
      left -= Math.min(left, files.length);
    }
    return hash.digest('hex');
  };
  let version: { readonly text: Promise<string>; readonly expiresAt: number } | null = null;

  return {
    describe,
    async list() {
      const tables: LocalTable[] = [];
      for (const name of await listNames()) {
        try {
          const table = await describe(name);
          if (table !== null) tables.push(table);
          logged.delete(name);
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          warn(name, error.message);
        }
      }
      return tables;
    },
    // A table of the operator that cannot be read is not bundled either, and its fault is not for every caller.
    isBundled: async (reference) => (await ignoreFaults(findFiles(withoutPrefix(reference))))?.isBundled ?? false,
    version() {
      const now = clock.now().getTime();
      if (version !== null && now < version.expiresAt) return version.text;
      const text = readVersion();
      const current = { text, expiresAt: now + VERSION_MS };
      version = current;
      text.catch(() => {
        if (version === current) version = null;
      });
      return text;
    },
    close: () => footers.close(),
  };
}

function withoutPrefix(reference: string): string {
  return reference.replace(/^local\./, '');
}

/** Returns null instead of a fault. A table that cannot be read has no files. */
async function ignoreFaults<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Runs work in the folder. An error of the file system becomes a fault without the path. */
async function duringAccess<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw warehouseFolderMissing();
    throw error;
  }
}
