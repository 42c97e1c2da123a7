import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../access/index.ts';
import type { ForecastResult } from '../../engine/index.ts';
import type { Database } from '../../platform/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { listScoredSeries } from '../outcomes/score-outcome.ts';
import type { ForecastTables } from '../tables.ts';
import { isShown } from './read-track-record.ts';
import { SOURCE_NAME, SOURCE_TYPE, selectOutcomes, type TrackRecordCriteria } from './select-outcomes.ts';

export interface TrackRecordExport {
  readonly truncated: boolean;
  /** Returns the bytes of a CSV file from which every figure of the track record can be computed. */
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** The name of the seasonal naive forecast that relative losses refer to. Every forecast has it, whatever its models. */
const BASELINE = 'seasonal_naive_baseline';

const HEADS = ['forecast_id', 'made_at', 'source_type', 'source', 'horizon', 'model', 'step', 'timestamp', 'actual'];

/** The number of forecasts that are read together. The predictions of a single one can take a megabyte. */
const BATCH = 10;

/** Returns the rows behind the track record for the same criteria: one line per forecast, model and scored step. */
export async function exportTrackRecord(
  context: ForecastContext,
  principal: Account,
  criteria: TrackRecordCriteria,
): Promise<TrackRecordExport> {
  const { ids, truncated, startQuery } = await selectOutcomes(context, principal, criteria);
  const { database } = context;
  return {
    truncated,
    chunks: async function* () {
      const levels = await readLevels(database, ids);
      yield Buffer.from(`${joinCells([...HEADS, ...levels])}\r\n`);
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = ids.slice(start, start + BATCH);
        const query = await startQuery();
        const rows = await query(batch).select(COLUMNS).execute();
        const forecasts = new Map(rows.map((row) => [row.id, row]));
        const actuals = await readActuals(database, [...forecasts.keys()]);
        for (const id of batch) {
          const forecast = forecasts.get(id);
          if (forecast === undefined) continue;
          yield Buffer.from(formatForecast(forecast, actuals.get(id) ?? [], levels, criteria));
        }
      }
    },
  };
}

const COLUMNS = [
  'forecast.id' as const,
  'forecast.created_at' as const,
  'forecast_outcome.baseline' as const,
  SOURCE_TYPE.as('source_type'),
  SOURCE_NAME.as('source'),
  sql<number>`(forecast.settings ->> 'horizon')::integer`.as('horizon'),
  // Only these parts of the result, which can be large.
  fromResult('predictions').as('predictions'),
  fromResult('members').as('members'),
];

function fromResult<Name extends keyof ForecastResult>(name: Name): RawBuilder<ForecastResult[Name]> {
  return sql`forecast.result -> ${sql.lit(name)}`;
}

interface ExportedForecast extends Pick<ForecastResult, 'predictions' | 'members'> {
  readonly id: string;
  readonly created_at: Date;
  readonly baseline: readonly Readonly<Record<string, number>>[] | null;
  readonly source_type: string;
  readonly source: string | null;
  readonly horizon: number;
}

interface Actual {
  readonly step: number;
  readonly timestamp: Date;
  readonly actual: number;
}

/** Returns the lines of one forecast: per model, one for each scored step. */
function formatForecast(
  forecast: ExportedForecast,
  actuals: readonly Actual[],
  levels: readonly string[],
  criteria: TrackRecordCriteria,
): string {
  const { id, created_at, source_type, source, horizon, baseline } = forecast;
  const series = listScoredSeries(forecast)
    .filter(([name]) => isShown(name, criteria))
    .map(([name, predictions]) => [name, predictions.map(({ quantiles }) => quantiles)] as const);
  // Only these cells can contain text from a caller. The others are numbers and times, millions of them in a large file.
  const start = joinCells([id, created_at.toISOString(), source_type, source ?? '', String(horizon)]);
  return [...series, [BASELINE, baseline ?? []] as const]
    .flatMap(([name, byStep]) =>
      actuals.map(({ step, timestamp, actual }) => {
        const quantiles = levels.map((level) => byStep[step - 1]?.[level] ?? '');
        return `${[start, name, step, timestamp.toISOString(), actual, ...quantiles].join(',')}\r\n`;
      }),
    )
    .join('');
}

/** Returns every level that one of these forecasts states, ascending. */
async function readLevels(database: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ level: string }>`
    SELECT DISTINCT level
    FROM forecast, json_array_elements_text(forecast.settings -> 'quantiles') AS level
    WHERE forecast.id = ANY (${ids})`.execute(database.query());
  return rows.map(({ level }) => level).sort((a, b) => Number(a) - Number(b));
}

/** Returns the scored rows of these forecasts by forecast, in the order of their steps. */
async function readActuals(database: Database, ids: readonly string[]): Promise<Map<string, Actual[]>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .query<ForecastTables>()
    .selectFrom('forecast_outcome_row')
    .select(['forecast_id', 'step', 'timestamp', 'actual'])
    .where('forecast_id', 'in', ids)
    .where('replayed', '=', false)
    .orderBy('step')
    .execute();
  return Map.groupBy(rows, ({ forecast_id }) => forecast_id);
}

function joinCells(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}
