import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import type { PGlite as EngineForKysely } from 'kysely';
import { type FullDiskOptions, PgliteFileSystem } from './pglite-file-system.ts';
import type { StatementRunner } from './statement-runner.ts';
import { asText, encodeParameter, valueParsers } from './values.ts';
import { WatchedPglite } from './watched-pglite.ts';

// numeric, uuid, interval, time and date: PGlite has no serializer for these types and would call toString().
const typesWithoutSerializer = [1700, 2950, 1186, 1083, 1082];

/** Starts PGlite with existing files, configured to read and write values as the pg driver does. */
export async function startPglite(files: string, fullDisk: FullDiskOptions): Promise<WatchedPglite> {
  const pglite = await withoutTierUp(async () => {
    const starting = new WatchedPglite({
      fs: new PgliteFileSystem(files, fullDisk),
      // PGlite runs no checkpoints in the background (see pglite-cleanup.ts), so the write-ahead log is kept small.
      startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
    });
    await starting.waitReady;
    return starting;
  });
  // Set after the start, because PGlite sets its own parsers and serializers for arrays when it starts.
  for (const type of [...Object.keys(pglite.parsers), ...valueParsers.keys()])
    pglite.parsers[type] = valueParsers.get(Number(type)) ?? asText;
  for (const type of [...Object.keys(pglite.serializers), ...typesWithoutSerializer])
    pglite.serializers[type] = encodeParameter;
  return pglite;
}

/**
 * Returns the engine with the interface that Kysely expects. It does not use PGlite's own `query`, which is slower and
 * whose errors contain the parameters of the statement. Errors are logged, so they must not contain parameters; the
 * errors of pg do not contain them either.
 */
export function engineForKysely(pglite: PGlite, statements: StatementRunner): EngineForKysely {
  return {
    close: () => pglite.close(),
    get closed() {
      return pglite.closed;
    },
    get ready() {
      return pglite.ready;
    },
    waitReady: pglite.waitReady,
    query: (sql, parameters) => statements.run(sql, parameters),
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          query: async (sql, parameters) => {
            if (tx.closed) throw new Error('Transaction is closed');
            return statements.runInTransaction(sql, parameters);
          },
          rollback: () => tx.rollback(),
        }),
      ),
  };
}

const FLAGS = ['wasm-dynamic-tiering', 'wasm-tier-up'];

/**
 * Runs `work` so that V8 does not optimize the WebAssembly functions that are first called in it.
 *
 * When PGlite starts, it calls many functions, including the SQL parser, a function of 100 kB. Optimizing the parser
 * would use a core for more than a second and 900 MB of memory, and would not make small queries faster.
 */
export async function withoutTierUp<T>(work: () => Promise<T>): Promise<T> {
  for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
  }
}
