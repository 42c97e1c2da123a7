import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database, Executor, Transaction } from '../../../src/platform/index.ts';

/** The same database with every statement (or transaction) that is asked of it counted. */
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

/** The same database with every statement that is sent to it counted, those in transactions one by one. */
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
