import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { FREQUENCIES, SERIES_KINDS } from '../calendar/index.ts';
import type { ForecastStatus } from '../contract/index.ts';
import { formatHorizon } from './name-forecast.ts';
import type { ForecastTables } from './tables.ts';

/** Selects forecasts of a list by what they show. */
export interface ForecastCriteria {
  /** Words, each of which must occur in the title, the slug, the source or the horizon. */
  readonly q?: string | undefined;
  readonly status?: ForecastStatus | undefined;
  /** The type of the source, or its symbol, series id or table. */
  readonly source?: string | undefined;
  readonly model?: string | undefined;
}

export type ForecastQuery<Row = object> = SelectQueryBuilder<ForecastTables, 'forecast', Row>;

/** The type of the source of rows that were sent with the request. */
const INLINE = 'inline';

/** The source of a forecast. OFFSET makes the database extract it once for each row and not once for each use. */
const SOURCE = sql`(SELECT forecast.settings -> 'source' AS source OFFSET 0) AS extracted`;

/** What a search finds of the source of a forecast. */
const SEARCHED_FIELDS = ['symbol', 'series_id', 'table', 'value_field'] as const;

/** The words of a horizon, such as "30 sessions", as `formatHorizon` writes them. */
const HORIZON_WORDS = sql`concat_ws(' ', forecast.settings ->> 'horizon', CASE
  ${sql.join(
    FREQUENCIES.flatMap((frequency) =>
      SERIES_KINDS.map((kind) => {
        const words = formatHorizon({ horizon: 2, cadence: { frequency, kind } }).slice('2 '.length);
        const isCadence = sql`forecast.settings -> 'cadence' ->> 'frequency' = ${sql.lit(frequency)}
          AND forecast.settings -> 'cadence' ->> 'kind' = ${sql.lit(kind)}`;
        return sql`WHEN ${isCadence} THEN ${sql.lit(words)}`;
      }),
    ),
    sql` `,
  )} END)`;

/** The slug without its random end, in which a search for a digit would find anything. */
const SLUG_WORDS = sql`regexp_replace(forecast.slug, '-[0-9a-f]{8}$', '')`;

/**
 * Restricts a list to the forecasts that match the criteria.
 *
 * @param isDisclosed the condition that the caller may see more of a forecast than its status. Otherwise no word, source
 * or model finds it, because a match would reveal its content.
 */
export function selectMatching<Row>(
  query: ForecastQuery<Row>,
  { q = '', status, source, model }: ForecastCriteria,
  isDisclosed: RawBuilder<boolean>,
): ForecastQuery<Row> {
  const words = splitWords(q);
  const conditions = [
    ...(source === undefined ? [] : [matchesSource(source)]),
    ...(model === undefined ? [] : [matchesModel(model)]),
    ...(words.length === 0 ? [] : [containsWords(words)]),
  ];
  const byStatus = status === undefined ? query : query.where('forecast.status', '=', status);
  if (conditions.length === 0) return byStatus as ForecastQuery<Row>;
  return [isDisclosed, ...conditions].reduce<ForecastQuery<Row>>(
    (selected, condition) => selected.where(condition) as ForecastQuery<Row>,
    byStatus as ForecastQuery<Row>,
  );
}

/** Returns the different words of a search, without the commas of a name that was pasted. */
export function splitWords(q: string): string[] {
  return [...new Set(q.split(/[\s,]+/u))].filter((word) => word !== '');
}

/** Returns the condition that the source of a forecast has this type, symbol, series id, table or file, in any case. */
export function matchesSource(source: string): RawBuilder<boolean> {
  return sql`EXISTS (
    SELECT FROM ${SOURCE}
    WHERE lower(${source}::text) IN (
      coalesce(source ->> 'type', ${INLINE}), lower(source ->> 'symbol'), lower(source ->> 'series_id'),
      lower(source ->> 'table'), lower(source ->> 'csv_id')))`;
}

/** Returns the condition that this model takes part in a forecast. */
export function matchesModel(model: string): RawBuilder<boolean> {
  return sql`${model} IN (SELECT json_array_elements_text(forecast.settings -> 'models'))`;
}

/** Returns the condition that each word occurs in a forecast. `strpos` has no wildcards that would need an escape. */
function containsWords(words: readonly string[]): RawBuilder<boolean> {
  const fields = SEARCHED_FIELDS.map((field) => sql`source ->> ${sql.lit(field)}`);
  // As in the names of untitled forecasts: "Inline rows" and "price of local.sales".
  const filler = sql`CASE coalesce(source ->> 'type', ${INLINE}) WHEN ${INLINE} THEN 'inline rows' WHEN 'warehouse_table' THEN 'of' END`;
  const text = sql`lower(concat_ws(' ', forecast.title, ${SLUG_WORDS}, ${sql.join(fields)}, ${filler}, ${HORIZON_WORDS}))`;
  const found = words.map((word) => sql<boolean>`strpos(lowered, lower(${word})) > 0`);
  return sql`EXISTS (
    SELECT FROM (SELECT ${text} AS lowered FROM ${SOURCE} OFFSET 0) AS searched
    WHERE ${sql.join(found, sql` AND `)})`;
}
