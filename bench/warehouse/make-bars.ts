import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Ten years of hours. */
const ROWS_PER_SYMBOL = 87_600;

/**
 * Writes the table `bars` into a folder, unless it is there: hourly rows sorted by symbol and time, as many as make whole
 * symbols. Returns the number of rows.
 */
export async function makeBars(folder: string, minRows: number): Promise<number> {
  const rows = Math.ceil(minRows / ROWS_PER_SYMBOL) * ROWS_PER_SYMBOL;
  const path = join(folder, 'bars.parquet');
  if (existsSync(path)) return rows;
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  const partial = join(folder, '.bars.partial');
  // The values are computed from the row numbers, so that the rows come out sorted and every run writes the same file.
  await connection.run(`
    COPY (
      SELECT
        'S' || lpad(CAST(i // ${ROWS_PER_SYMBOL} AS VARCHAR), 4, '0') AS symbol,
        TIMESTAMP '2014-01-01' + INTERVAL 1 HOUR * (i % ${ROWS_PER_SYMBOL}) AS time,
        round(100 + 20 * sin(i / 5000.0) + (hash(i) % 1000) / 500.0, 2) AS close,
        CAST(hash(i + 7) % 100000 AS BIGINT) AS volume
      FROM range(${rows}) numbers(i)
    ) TO '${partial.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`);
  connection.closeSync();
  instance.closeSync();
  await rename(partial, path);
  return rows;
}
