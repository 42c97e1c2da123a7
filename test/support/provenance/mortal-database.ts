import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database, Executor, Transaction } from '../../../src/platform/index.ts';
import type { MortalProcess } from './mortal-process.ts';

/** Returns the database as a process sees it that can be killed at every statement and at every commit. */
export function createMortalDatabase(database: Database, process: MortalProcess): Database {
  const watcher: KyselyPlugin = {
    transformQuery({ node }) {
      process.reach('before statement');
      return node;
    },
    async transformResult({ result }) {
      process.reach('after statement');
      return result;
    },
  };
  const watched = (executor: Executor) =>
    (<Tables>(): Kysely<Tables> => executor.query<Tables>().withPlugin(watcher)) as Executor['query'];
  const transaction: Database['transaction'] = async (work) => {
    const result = await database.transaction(async (tx) => {
      const done = await work({ ...tx, query: watched(tx) } satisfies Transaction);
      // Rolls back, even if the work has ignored the errors of a dead process.
      process.reach('before commit');
      return done;
    });
    process.reach('after commit');
    return result;
  };
  return { ...database, query: watched(database), transaction };
}
