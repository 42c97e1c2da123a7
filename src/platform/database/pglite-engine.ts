import { PGlite } from '@electric-sql/pglite';
import type { PGlite as EngineForKysely } from 'kysely';
import { encodeParameter } from './encode-parameter.ts';
import type { StatementRunner } from './statement-runner.ts';
import { asText, valueParsers } from './value-parsers.ts';
import { WatchedPglite } from './watched-pglite.ts';
import { withoutTierUp } from './without-tier-up.ts';

// numeric, uuid, interval, time, date: PGlite has no writer of its own for these and would call toString().
const typesWithoutWriter = [1700, 2950, 1186, 1083, 1082];

/** Starts PGlite on existing files, taught to read and write values as the pg driver does. */
export async function startPglite(files: string): Promise<WatchedPglite> {
  const pglite = await withoutTierUp(async () => {
    const starting = new WatchedPglite(files, {
      // Nothing checkpoints in the background here (see housekeeping): keep what is left of the log small.
      startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
    });
    await starting.waitReady;
    return starting;
  });
  // Set after the start: while starting, PGlite fills in its own readers and writers for arrays.
  for (const type of [...Object.keys(pglite.parsers), ...valueParsers.keys()])
    pglite.parsers[type] = valueParsers.get(Number(type)) ?? asText;
  for (const type of [...Object.keys(pglite.serializers), ...typesWithoutWriter])
    pglite.serializers[type] = encodeParameter;
  return pglite;
}

/**
 * The engine as Kysely sees it. PGlite's own `query` is not used, and that is as well for another reason: its errors
 * carry the parameters of the statement, and errors end up in logs. pg's do not, and neither do these.
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
