import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { TableFile } from '../../../src/datasets/warehouse/local/find-table-files.ts';

/** A warehouse folder of a test, and a DuckDB that writes files into it. */
export interface WarehouseFolder extends Disposable {
  readonly root: string;
  write(name: string, content: string | Uint8Array): string;
  /** Writes the rows of a SELECT to a Parquet file. */
  copy(name: string, select: string, options?: string): Promise<string>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Returns a file in the form in which the search for the files of a table returns it. */
  file(name: string): TableFile;
}

export async function openWarehouseFolder(): Promise<WarehouseFolder> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'almanac-warehouse-')));
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const prepare = (name: string): string => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  return {
    root,
    write(name, content) {
      const path = prepare(name);
      writeFileSync(path, content);
      return path;
    },
    async copy(name, select, options = '') {
      const path = prepare(name);
      await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet${options})`);
      return path;
    },
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
    file(name) {
      const path = join(root, name);
      const { size, mtimeNs, ino } = statSync(path, { bigint: true });
      return { path, name, size: Number(size), modifiedNs: mtimeNs, inode: ino, partitions: new Map() };
    },
    [Symbol.dispose]() {
      connection.disconnectSync();
      instance.closeSync();
      rmSync(root, { recursive: true });
    },
  };
}
