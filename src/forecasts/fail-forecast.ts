import { json, type Transaction } from '../platform/index.ts';
import { settle } from './finish.ts';
import type { ForecastFailure, JobTables } from './tables.ts';

/**
 * Ends a forecast that has not ended: one guarded statement, and with it what belongs to an end.
 *
 * @param attempt only if this attempt still has it; left out: whoever has it
 * @returns false when it had ended already, or another attempt has it
 */
export async function failForecast(
  tx: Transaction,
  id: string,
  error: ForecastFailure,
  now: Date,
  attempt?: number,
): Promise<boolean> {
  const failed = await tx
    .query<JobTables>()
    .updateTable('forecast')
    .set({ status: 'failed', error: json(error), finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt as number))
    .returning(['id', 'payer', 'guest_id', 'credits'])
    .executeTakeFirst();
  if (failed === undefined) return false;
  await settle(tx, failed, { kind: 'failed', data: { error } }, now);
  return true;
}
