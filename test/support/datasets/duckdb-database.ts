import { DuckDBInstance } from '@duckdb/node-api';

/** A DuckDB in this process without restrictions, to write the files of a test and to check SQL. */
export interface DuckdbDatabase {
  /** Runs statements and returns the rows of the last one. */
  query(sql: string): Promise<unknown[][]>;
  close(): void;
}

export async function openDuckdb(): Promise<DuckdbDatabase> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  return {
    query: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS(),
    close: () => {
      connection.disconnectSync();
      instance.closeSync();
    },
  };
}
