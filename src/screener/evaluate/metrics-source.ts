import { type RawBuilder, sql } from 'kysely';
import { SCREENER_FIELDS } from '../../contract/index.ts';
import type { DailyMetricsTable } from '../tables.ts';

/** YYYY-MM-DD, the exchange's date. */
export type SessionDate = string;

/** Rows of numbers, one per symbol, as part of a statement. */
export type Metrics = RawBuilder<DailyMetricsTable>;

/** Those stored for a session. */
export function metricsAt(session: SessionDate): Metrics {
  return sql`(SELECT * FROM daily_metrics WHERE session = ${session}::date)`;
}

/** Some that are stored nowhere. */
export function metricsIn(rows: readonly DailyMetricsTable[]): Metrics {
  const columns = SCREENER_FIELDS.flatMap((field) => [
    sql`${sql.id(field)} float8`,
    sql`${sql.id(`previous_${field}`)} float8`,
  ]);
  return sql`(
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given(session date, symbol text, shared boolean, recent_closes float8[], ${sql.join(columns)})
  )`;
}
