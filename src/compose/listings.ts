import { sql } from 'kysely';
import type { ListingsContext } from '../market/index.ts';
import type { Database } from '../platform/index.ts';

/**
 * Creates the function that decides which listings are read. Those of providers of currencies are read only after the
 * provider has served bars, so that a service which needs no currencies sends no request to them.
 */
export function createListingChoice(database: Database): ListingsContext['isListingWanted'] {
  return async ({ id, serves }) => {
    if (serves === 'stocks') return true;
    const { rows } = await sql<{ served: boolean }>`
      SELECT EXISTS (SELECT FROM bar_series WHERE provider = ${id}) AS served
    `.execute(database.query());
    return rows[0]?.served === true;
  };
}
