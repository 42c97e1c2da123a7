import { getConstructionPlans } from 'pg-boss';

/**
 * Returns the statements that create the tables of the queue, as pg-boss does when it starts on a database, for the
 * transaction of the caller.
 */
export function queueTablesScript(schema = 'queue'): string {
  const statements = getConstructionPlans(schema)
    .replace(/^\s*BEGIN;/, '')
    .replace(/COMMIT;\s*$/, '');
  // The limits of waits are meant for a transaction that ends here.
  return `${statements}\nSET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;`;
}
