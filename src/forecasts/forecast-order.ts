import { type RawBuilder, sql } from 'kysely';
import type { ForecastSort, SortDirection } from '../contract/index.ts';
import type { SortOrder } from '../platform/index.ts';

const SOURCE = sql`forecast.settings -> 'source'`;

/**
 * The name of an untitled forecast as `nameForecast` begins it, with three digits of the horizon, so that 5 sessions come
 * before 30. No horizon has more digits.
 */
const UNTITLED_NAME = sql`
  CASE ${SOURCE} ->> 'type'
    WHEN 'market' THEN concat(${SOURCE} ->> 'symbol', ' ' || nullif(${SOURCE} ->> 'value_field', 'close'))
    WHEN 'economic_series' THEN ${SOURCE} ->> 'series_id'
    WHEN 'warehouse_table' THEN concat(${SOURCE} ->> 'value_field', ' of ', ${SOURCE} ->> 'table')
    WHEN 'workspace_csv' THEN ${SOURCE} ->> 'value_field'
    ELSE 'Inline rows'
  END || ', ' || lpad(forecast.settings ->> 'horizon', 3, '0')`;

const ORDERS: Readonly<Record<ForecastSort, SortOrder>> = {
  created_at: { by: sql`forecast.created_at`, type: 'timestamptz', direction: 'desc' },
  finished_at: { by: sql`forecast.finished_at`, type: 'timestamptz', direction: 'desc' },
  name: { by: sql`lower(coalesce(forecast.title, ${UNTITLED_NAME}))`, type: 'text', direction: 'asc' },
  horizon: { by: sql`(forecast.settings ->> 'horizon')::integer`, type: 'integer', direction: 'asc' },
  score: { by: sql`forecast.validation_wql`, type: 'double precision', direction: 'asc' },
};

/**
 * Returns the order of a list of forecasts.
 *
 * @param isDisclosed the condition that the caller may see more of a forecast than its creation time and status. Other
 * forecasts come last, because their place among the others would reveal their content, as would the cursor.
 */
export function orderForecasts(
  sort: ForecastSort,
  direction: SortDirection | undefined,
  isDisclosed: RawBuilder<boolean>,
): SortOrder {
  const order = ORDERS[sort];
  const shown = sort === 'created_at' ? order.by : sql`CASE WHEN ${isDisclosed} THEN ${order.by} END`;
  // The collation of the database differs between installations.
  const by = order.type === 'text' ? sql`(${shown}) COLLATE "C"` : shown;
  return { ...order, by, direction: direction ?? order.direction };
}
