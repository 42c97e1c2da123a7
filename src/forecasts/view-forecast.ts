import type { z } from 'zod';
import type { EnsembleForecast, StartedForecast } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { emptyReceipt } from '../provenance/index.ts';
import type { ForecastRow } from './find-forecast.ts';
import type { ForecastSummary } from './list-page.ts';
import { settingsOnTheWire } from './settings-on-the-wire.ts';

export type ForecastView = z.output<typeof EnsembleForecast>;
export type StartedView = z.output<typeof StartedForecast>;

export function urlOf(id: string): string {
  return `/api/v1/ensemble-forecasts/${id}`;
}

/** What a caller gets that has just asked for a forecast. */
export function viewStarted({
  id,
  slug,
  status,
  progress,
}: Pick<ForecastRow, 'id' | 'slug' | 'status' | 'progress'>): StartedView {
  return { forecast_id: id, slug, status, progress, status_url: urlOf(id), result_url: urlOf(id) };
}

/** A forecast in a list. */
export function viewListed(row: ForecastSummary) {
  const { settings, error } = row;
  return {
    ...viewStarted(row),
    title: row.title,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    weight_mode: settings.weightMode,
    horizon: settings.horizon,
    models: [...settings.models],
    reproduces: row.reproduces,
    ...(error && { error }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** The same in the list of a workspace, which says who made it. */
export function viewShared(row: ForecastSummary) {
  return { ...viewListed(row), created_by: row.account_id };
}

interface SnapshotFacts {
  readonly id: string;
  readonly sha256: string;
  readonly rows: number;
}

/** A forecast as the interface shows it: what is not known yet is not there. */
export function viewForecast(row: ForecastRow, snapshot: SnapshotFacts): ForecastView {
  const { result, error } = row;
  return {
    ...viewStarted(row),
    title: row.title,
    visibility: row.visibility,
    workspace_id: row.workspace_id,
    weight_mode: row.settings.weightMode,
    predictions: [...(result?.predictions ?? [])],
    ...(result && resultOf(result, row.checkpoints)),
    request: row.request as Record<string, unknown>,
    settings: settingsOnTheWire(row.settings),
    snapshot,
    checkpoints: row.checkpoints,
    fingerprint: row.fingerprint as Record<string, unknown> | null,
    reproduces: row.reproduces,
    comparison: row.comparison,
    provenance: row.content_cid === null ? null : emptyReceipt(row.content_cid),
    questions_url: `/api/v1/forecasts?source_forecast_id=${row.id}`,
    ...(error && { error }),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

type Result = NonNullable<ForecastRow['result']>;

function resultOf(result: Result, checkpoints: Readonly<Record<string, string>>) {
  const { weighting, historical_validation, effective_weights_by_quantile, members, season } = result;
  return {
    ...(weighting && { weighting }),
    historical_validation,
    effective_weights_by_quantile,
    members: members.map((member) => ({ ...member, checkpoint: checkpoints[member.model] ?? '' })),
    season,
    // The engine's types are readonly, those of the contract are not; nothing here is changed.
  } as unknown as Pick<
    ForecastView,
    'weighting' | 'historical_validation' | 'effective_weights_by_quantile' | 'members' | 'season'
  >;
}

/** What the snapshots of some forecasts are, by id. */
export async function snapshotFacts(executor: Executor, ids: readonly string[]): Promise<Map<string, SnapshotFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .query<{ snapshot: SnapshotFacts }>()
    .selectFrom('snapshot')
    .select(['id', 'sha256', 'rows'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
