import { sql } from 'kysely';
import { HOUR_MS } from '../../calendar/index.ts';
import type { Clock, Executor } from '../../platform/index.ts';
import type { ForecastTables } from '../tables.ts';

function hourOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
}

/** An attempt that ended without a result. */
export interface UnpaidAttempt {
  readonly id: string;
  readonly payer: string;
}

/**
 * Counts the CPU of an attempt for its payer, if the forecast was canceled, failed or removed. Nothing is counted if
 * another attempt continues the forecast, because the payer did not cause that.
 */
export async function countUnpaidCpu(
  executor: Executor,
  { id, payer }: UnpaidAttempt,
  seconds: number,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO unpaid_cpu AS unpaid (payer, hour, seconds)
    SELECT ${payer}, ${hourOf(now)}::timestamptz, ${seconds}::float8
    WHERE NOT EXISTS (SELECT FROM forecast WHERE id = ${id} AND status <> 'failed')
    ON CONFLICT (payer) DO UPDATE SET
      hour = excluded.hour,
      seconds = excluded.seconds + CASE WHEN unpaid.hour = excluded.hour THEN unpaid.seconds ELSE 0 END
  `.execute(executor.query());
}

/** Returns the CPU seconds that the canceled and failed forecasts of a payer have used in this hour. */
export async function readUnpaidCpu(executor: Executor, payer: string, now: Date): Promise<number> {
  const row = await executor
    .query<ForecastTables>()
    .selectFrom('unpaid_cpu')
    .select('seconds')
    .where('payer', '=', payer)
    .where('hour', '=', hourOf(now))
    .executeTakeFirst();
  return row?.seconds ?? 0;
}

/** Removes the counts of earlier hours. */
export async function removeOldUnpaidCpu(executor: Executor, clock: Clock): Promise<void> {
  await executor.query<ForecastTables>().deleteFrom('unpaid_cpu').where('hour', '<', hourOf(clock.now())).execute();
}
