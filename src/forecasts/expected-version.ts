import type { Executor, Transaction } from '../platform/index.ts';
import { forecastChanged, forecastNotFound } from './faults.ts';
import type { ForecastRow } from './find-forecast.ts';
import type { ForecastTables } from './tables.ts';

/** Returns whether a forecast is in a version that the caller has read. Reads only through the executor. */
export type IsExpected = (executor: Executor, row: ForecastRow) => Promise<boolean>;

/** Refuses a change of a forecast that is in another version than expected. Lock the forecast and check access first. */
export async function requireExpected(tx: Transaction, id: string, isExpected: IsExpected | undefined): Promise<void> {
  if (isExpected === undefined) return;
  const row = await tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw forecastNotFound();
  if (!(await isExpected(tx, row))) throw forecastChanged();
}
