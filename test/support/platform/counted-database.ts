import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database, Executor, Transaction } from '../../../src/platform/index.ts';

/** Returns the database with a count of its uses: statements and transactions. */
export function countUses(database: Database): { readonly database: Database; readonly uses: () => number } {
  let uses = 0;
  const query: Database['query'] = () => {
    uses++;
    return database.query();
  };
  const transaction: Database['transaction'] = (work) => {
    uses++;
    return database.transaction(work);
  };
  return { database: { ...database, query, transaction }, uses: () => uses };
}

/** Returns the database with a count of its statements, including those in transactions. */
export function countStatements(database: Database): {
  readonly database: Database;
  readonly statements: () => number;
} {
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      return result;
    },
  };
  const counted = (executor: Executor) =>
    (<Tables>(): Kysely<Tables> => executor.query<Tables>().withPlugin(counter)) as Executor['query'];
  const transaction: Database['transaction'] = (work) => {
    statements++;
    return database.transaction((tx) => work({ ...tx, query: counted(tx) } satisfies Transaction));
  };
  return { database: { ...database, query: counted(database), transaction }, statements: () => statements };
}
