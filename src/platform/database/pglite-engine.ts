import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import type { PGlite as EngineForKysely } from 'kysely';
import type { StatementRunner } from './statement-runner.ts';
import { asText, encodeParameter, valueParsers } from './values.ts';
import { WatchedPglite } from './watched-pglite.ts';

// numeric, uuid, interval, time, date: PGlite has no serializer for these and would call toString().
const typesWithoutSerializer = [1700, 2950, 1186, 1083, 1082];

/** Starts PGlite on existing files, configured to read and write values as the pg driver does. */
export async function startPglite(files: string): Promise<WatchedPglite> {
  const pglite = await withoutTierUp(async () => {
    const starting = new WatchedPglite(files, {
      // Nothing checkpoints in the background (see pglite-cleanup.ts), so the remaining log is kept small.
      startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
    });
    await starting.waitReady;
    return starting;
  });
  // Set after the start, during which PGlite sets its own parsers and serializers for arrays.
  for (const type of [...Object.keys(pglite.parsers), ...valueParsers.keys()])
    pglite.parsers[type] = valueParsers.get(Number(type)) ?? asText;
  for (const type of [...Object.keys(pglite.serializers), ...typesWithoutSerializer])
    pglite.serializers[type] = encodeParameter;
  return pglite;
}

/**
 * Returns the engine as Kysely uses it. PGlite's own `query` is not used for another reason as well: its errors carry the
 * parameters of the statement, and errors end up in logs. Those of pg do not, and neither do these.
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
 * Runs `work` without V8's optimizing compiler for the WebAssembly functions that are first called in it.
 *
 * The start of PGlite calls the SQL parser, among others, a function of 100 kB. Optimizing it occupies a core for more than
 * a second during the start of the service and takes 900 MB of memory; small queries are not faster afterward.
 */
export async function withoutTierUp<T>(work: () => Promise<T>): Promise<T> {
  for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
  }
}
