import type { z } from 'zod';
import type { Account, Guest, Principal } from '../../access/index.ts';
import type { ForecastOutcome } from '../../contract/index.ts';
import { quantileKey } from '../../engine/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import type { ForecastContext } from '../context.ts';
import { outcomeNotCompleted } from '../faults.ts';
import { type ForecastRow, findForecast } from '../find-forecast.ts';
import { ownerOf } from '../owner.ts';
import { isCollected } from './outcome-times.ts';
import { type Outcome, type OutcomeRow, readOutcome } from './read-outcome.ts';

/** A completed forecast that a caller may read, with its outcome. */
export interface ReadableOutcome {
  readonly forecast: ForecastRow & { readonly result: NonNullable<ForecastRow['result']> };
  /** Null if the outcome was not opened yet. */
  readonly outcome: Outcome | null;
}

/** Returns the outcome of the forecast with this id or slug, if the caller may read the forecast and its rows. */
export async function findOutcome(
  context: Pick<ForecastContext, 'database' | 'sources'>,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<ReadableOutcome> {
  const forecast = await findForecast(context, principal, idOrSlug, 'forecast.read');
  const { id, result, status } = forecast;
  if (result === null) throw outcomeNotCompleted(status);
  await authorizeOutcome(context, principal, forecast);
  return { forecast: { ...forecast, result }, outcome: await readOutcome(context.database, id) };
}

/**
 * Checks that a reader of a forecast may see its outcome. Rows that were read from the source are those of the source,
 * which a reader of a public forecast may be denied. Rows that the owner has sent belong to the forecast.
 */
export async function authorizeOutcome(
  { sources }: Pick<ForecastContext, 'sources'>,
  principal: Principal,
  { owner, settings }: Pick<ForecastRow, 'owner' | 'settings'>,
): Promise<void> {
  const { source } = settings;
  if (source === null || !isCollected(settings)) return;
  const isCreator = principal.kind !== 'anonymous' && owner === ownerOf(principal).id;
  await sources.of(source).authorizeFrozen?.(principal, source, { isCreator });
}

/** Returns an outcome as the API shows it. */
export function viewOutcome({ forecast, outcome }: ReadableOutcome): z.output<typeof ForecastOutcome> {
  const { metrics = null, rows = [] } = outcome ?? {};
  return {
    forecast_id: forecast.id,
    status: outcome?.status ?? 'waiting',
    reason: outcome?.reason ?? null,
    rows: rows.map((row) => viewRow(row, forecast.result)),
    count: metrics?.count ?? 0,
    mae: metrics?.mae ?? null,
    average_wql: metrics?.average_wql ?? null,
    coverage: metrics === null ? null : { ...metrics.coverage },
    relative_wql: metrics?.relative_wql ?? null,
    revised: outcome?.revised ?? false,
    scale: outcome?.scale ?? null,
    snapshot_id: outcome?.snapshot_id ?? null,
    next_check_at: outcome?.next_check_at?.toISOString() ?? null,
  };
}

function viewRow(
  { step, timestamp, actual, replayed, revised_to }: OutcomeRow,
  { predictions }: ReadableOutcome['forecast']['result'],
) {
  return {
    step,
    timestamp: timestamp.toISOString(),
    actual,
    quantiles: { ...predictions[step - 1]?.quantiles },
    ...(replayed && { replayed: true as const }),
    ...(revised_to !== null && { revised_to }),
  };
}

/**
 * Returns a CSV file with the recorded rows, the predicted quantiles and those of the seasonal naive forecast, which are
 * empty if no row is scored. Every score of the outcome can be computed from it.
 */
export function formatOutcomeCsv({ forecast, outcome }: ReadableOutcome): string {
  const { predictions } = forecast.result;
  const levels = forecast.settings.quantiles.map(quantileKey);
  const cell = (value: number | undefined) => (value === undefined ? '' : String(value));
  const lines = (outcome?.rows ?? []).map(({ step, timestamp, actual, replayed, recorded_at }) => [
    String(step),
    timestamp.toISOString(),
    String(actual),
    String(replayed),
    recorded_at.toISOString(),
    ...levels.map((level) => cell(predictions[step - 1]?.quantiles[level])),
    ...levels.map((level) => cell(outcome?.baseline?.[step - 1]?.[level])),
  ]);
  const heads = ['step', 'timestamp', 'actual', 'replayed', 'recorded_at', ...levels];
  return [[...heads, ...levels.map((level) => `baseline_${level}`)], ...lines]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');
}
