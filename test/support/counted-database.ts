import type { Database } from '../../src/platform/index.ts';

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
