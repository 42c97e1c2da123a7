import type { z } from 'zod';
import type { Account } from '../access/index.ts';
import type { EnsembleForecast, QueuedForecast, ResolvedSettings, UndisclosedForecast } from '../contract/index.ts';
import { fillAuditMetrics } from '../engine/index.ts';
import type { Executor } from '../platform/index.ts';
import type { ReceiptView } from '../provenance/index.ts';
import type { ForecastContext } from './context.ts';
import { forecastRemoved } from './faults.ts';
import { type ForecastRow, isPrivateToAnother } from './find-forecast.ts';
import type { ForecastSummary } from './list-forecasts.ts';
import { nameForecast } from './name-forecast.ts';
import type { ForecastSettings, ForecastTables } from './tables.ts';

export type ForecastView = z.output<typeof EnsembleForecast>;
type QueuedView = z.output<typeof QueuedForecast>;
type Result = NonNullable<ForecastRow['result']>;

/**
 * Returns the response to a request that created a forecast: the forecast as it was queued. A repeated request gets the
 * same response, whatever has happened to the forecast since, even if it now belongs to another account: the response
 * reveals nothing new.
 */
export async function readCreated({ database }: Pick<ForecastContext, 'database'>, id: string): Promise<QueuedView> {
  const created = await database
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['id', 'slug', 'settings'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (created === undefined) throw forecastRemoved();
  const progress = { completed_models: 0, total_models: created.settings.models.length, current_model: null };
  return viewQueued({ ...created, status: 'queued', progress });
}

function viewQueued({
  id,
  slug,
  status,
  progress,
}: Pick<ForecastRow, 'id' | 'slug' | 'status' | 'progress'>): QueuedView {
  const url = `/api/v1/ensemble-forecasts/${id}`;
  // A forecast that was canceled or has failed keeps the progress of its last attempt, but no model is running.
  const shown = progress && status !== 'running' ? { ...progress, current_model: null } : progress;
  return { forecast_id: id, slug, status, progress: shown, status_url: url, result_url: url };
}

/** Returns a forecast as lists show it. */
export function viewListed(row: ForecastSummary) {
  const { settings, error, outcome } = row;
  return {
    ...viewQueued(row),
    name: nameForecast(row),
    title: row.title,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    weight_mode: settings.weightMode,
    source: settings.source,
    horizon: settings.horizon,
    cutoff: settings.cutoff,
    models: [...settings.models],
    score: {
      validation_wql: row.validation_wql,
      outcome_status: outcome?.status ?? null,
      average_wql: outcome?.metrics?.average_wql ?? null,
      relative_wql: outcome?.metrics?.relative_wql ?? null,
    },
    reproduces: row.reproduces,
    ...(error && { error }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/**
 * Returns a forecast as the list of a workspace shows it: with its creator. The owner of the workspace sees of the private
 * forecasts of others only what they cost.
 */
export function viewInWorkspace(row: ForecastSummary, reader: Account) {
  return isPrivateToAnother(reader, row) ? viewUndisclosed(row) : { ...viewListed(row), created_by: row.account_id };
}

/** Returns a private forecast as the owner of its workspace, who pays for it, sees it. */
export function viewUndisclosed({
  id,
  status,
  credits,
  created_at,
}: Pick<ForecastRow, 'id' | 'status' | 'credits' | 'created_at'>): z.output<typeof UndisclosedForecast> {
  return { forecast_id: id, status, credits, created_at: created_at.toISOString() };
}

interface SnapshotFacts {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
  /** Set if the snapshot was removed. */
  readonly removed_at?: string;
}

/**
 * Returns a forecast as the API shows it. Fields of the result are absent until the forecast has completed.
 *
 * @param provenance the receipt of the proof; null until the forecast has completed
 */
export function viewForecast(row: ForecastRow, snapshot: SnapshotFacts, provenance: ReceiptView | null): ForecastView {
  const { result, error } = row;
  return {
    ...viewQueued(row),
    name: nameForecast(row),
    title: row.title,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    weight_mode: row.settings.weightMode,
    predictions: [...(result?.predictions ?? [])],
    ...(result && viewResult(result, row.checkpoints)),
    request: row.request as Record<string, unknown>,
    settings: viewSettings(row.settings),
    snapshot,
    checkpoints: row.checkpoints,
    fingerprint: row.fingerprint as Record<string, unknown> | null,
    reproduces: row.reproduces,
    comparison: row.comparison,
    provenance,
    questions_url: `/api/v1/forecasts?source_forecast_id=${row.id}`,
    ...(error && { error }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Returns a result as the API shows it. */
export function viewResult(result: Result, checkpoints: Readonly<Record<string, string>>) {
  const { weighting, historical_validation, effective_weights_by_quantile, members, season } = result;
  return {
    ...(weighting && { weighting: fillAuditMetrics(weighting) }),
    historical_validation,
    effective_weights_by_quantile,
    members: members.map((member) => ({ ...member, checkpoint: checkpoints[member.model] ?? '' })),
    season,
    // The engine's types are read-only and those of the contract are not. Nothing is modified here.
  } as unknown as Pick<
    ForecastView,
    'weighting' | 'historical_validation' | 'effective_weights_by_quantile' | 'members' | 'season'
  >;
}

/**
 * Returns settings as the API shows them. Proof documents contain them, so the output for the settings of a stored
 * forecast must never change.
 */
export function viewSettings(settings: ForecastSettings): z.output<typeof ResolvedSettings> {
  const { cadence, horizon, quantiles, models, weights, transform, seed, cutoff, source, unavailableModels } = settings;
  const { mode, notFittedModels, estimatedBytes } = settings;
  return {
    frequency: cadence.frequency,
    series_kind: cadence.kind,
    hours: cadence.hours ?? null,
    horizon,
    quantiles: [...quantiles],
    ...(mode && { mode }),
    models: [...models],
    weight_mode: settings.weightMode,
    weights,
    weighting_policy: settings.weightingPolicy,
    transform,
    seed,
    cutoff,
    source,
    ...(unavailableModels && { unavailable_models: [...unavailableModels] }),
    ...(notFittedModels && { not_fitted_models: [...notFittedModels] }),
    ...(settings.fallbackUsed && { fallback_used: true }),
    ...(settings.asKnownAtCutoff && { as_known_at_cutoff: true }),
    ...(settings.settleDays !== undefined && { settle_days: settings.settleDays }),
    ...(estimatedBytes !== undefined && { estimated_bytes: estimatedBytes }),
  };
}

/** Returns the facts about the snapshot of a forecast, even if the snapshot was removed. */
export async function readSnapshotFacts(
  executor: Executor,
  { id, snapshot_id, removed_snapshot }: Pick<ForecastRow, 'id' | 'snapshot_id' | 'removed_snapshot'>,
): Promise<SnapshotFacts> {
  if (removed_snapshot) return removed_snapshot;
  const found = await executor
    .query<{ snapshot: Omit<SnapshotFacts, 'removed_at'> }>()
    .selectFrom('snapshot')
    .select(['id', 'sha256', 'rows'])
    .where('id', '=', snapshot_id)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`The snapshot of the forecast ${id} is missing.`);
  return found;
}
