import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../platform/index.ts';
import { type DailyMetricsTable, METRIC_COLUMNS } from '../tables.ts';

/** YYYY-MM-DD, the date at the exchange. */
export type SessionDate = string;

/** SQL that selects rows of metrics, one per symbol. */
export type MetricsSource = RawBuilder<DailyMetricsTable>;

/** Selects the stored metrics of a session, which may also be given as SQL. */
export function storedMetrics(session: SessionDate | RawBuilder<SessionDate | null>): MetricsSource {
  return sql`(SELECT * FROM daily_metrics WHERE session = ${session}::date)`;
}

/** Selects the given rows, which are passed as a parameter. */
export function metricsFromRows(rows: readonly DailyMetricsTable[]): MetricsSource {
  const columns = METRIC_COLUMNS.map((name) => sql`${sql.id(name)} float8`);
  return sql`(
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given(session date, symbol text, shared boolean, recent_closes float8[], ${sql.join(columns)})
  )`;
}

/** Stores rows of metrics. Existing rows do not change. */
export async function storeMetrics(tx: Transaction, rows: readonly DailyMetricsTable[]): Promise<void> {
  if (rows.length === 0) return;
  const names = ['session', 'symbol', 'shared', 'recent_closes', ...METRIC_COLUMNS];
  const columns = sql.join(names.map((name) => sql.id(name)));
  await sql`
    INSERT INTO daily_metrics (${columns}) SELECT ${columns} FROM ${metricsFromRows(rows)} AS given
    ON CONFLICT DO NOTHING
  `.execute(tx.query());
}
