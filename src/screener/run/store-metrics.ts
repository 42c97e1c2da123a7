import { sql } from 'kysely';
import { SCREENER_FIELDS } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { metricsIn } from '../evaluate/metrics-source.ts';
import type { DailyMetricsTable } from '../tables.ts';

const COLUMNS = [
  'session',
  'symbol',
  'shared',
  'recent_closes',
  ...SCREENER_FIELDS,
  ...SCREENER_FIELDS.map((field) => `previous_${field}`),
];

/** Stores rows; those that are there stay as they are. */
export async function storeMetrics(tx: Transaction, rows: readonly DailyMetricsTable[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = sql.join(COLUMNS.map((name) => sql.id(name)));
  await sql`
    INSERT INTO daily_metrics (${columns}) SELECT ${columns} FROM ${metricsIn(rows)} AS given
    ON CONFLICT DO NOTHING
  `.execute(tx.query());
}
