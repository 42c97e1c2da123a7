import { PGlite, type Results } from '@electric-sql/pglite';
import type { PGlite as EngineForKysely } from 'kysely';
import { encodeParameter } from './encode-parameter.ts';
import { asText, valueParsers } from './value-parsers.ts';
import { withoutTierUp } from './without-tier-up.ts';

// numeric, uuid, interval, time, date: PGlite has no writer of its own for these and would call toString().
const typesWithoutWriter = [1700, 2950, 1186, 1083, 1082];

/** Starts PGlite on existing files, taught to read and write values as the pg driver does. */
export async function startPglite(files: string): Promise<PGlite> {
  const pglite = await withoutTierUp(() =>
    PGlite.create(files, {
      // Nothing checkpoints in the background here (see housekeeping): keep what is left of the log small.
      startParams: [...PGlite.defaultStartParams, '-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'],
    }),
  );
  // Set after the start: while starting, PGlite fills in its own readers and writers for arrays.
  for (const type of [...Object.keys(pglite.parsers), ...valueParsers.keys()])
    pglite.parsers[type] = valueParsers.get(Number(type)) ?? asText;
  for (const type of [...Object.keys(pglite.serializers), ...typesWithoutWriter])
    pglite.serializers[type] = encodeParameter;
  return pglite;
}

/**
 * The engine as Kysely sees it. PGlite's errors carry the parameters of the statement, and errors end up in logs;
 * pg's do not, and neither do these.
 */
export function withoutParametersInErrors(pglite: PGlite): EngineForKysely {
  return {
    close: () => pglite.close(),
    get closed() {
      return pglite.closed;
    },
    get ready() {
      return pglite.ready;
    },
    waitReady: pglite.waitReady,
    query: (sql, parameters, options) => forgetParameters(pglite.query(sql, parameters, options)),
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          query: (sql, parameters, options) => forgetParameters(tx.query(sql, parameters, options)),
          rollback: () => tx.rollback(),
        }),
      ),
  };
}

async function forgetParameters<T>(result: Promise<Results<T>>): Promise<Results<T>> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error) {
      for (const property of ['params', 'query', 'queryOptions']) Reflect.deleteProperty(error, property);
    }
    throw error;
  }
}
