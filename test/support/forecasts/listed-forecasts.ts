import { sql } from 'kysely';
import type { ForecastStatus, OutcomeStatus, SourceReference, Visibility } from '../../../src/contract/index.ts';
import type { ForecastSettings } from '../../../src/forecasts/tables.ts';
import { type Executor, newId } from '../../../src/platform/index.ts';

/** What a list shows of a forecast. */
export interface ListedFields {
  /** The id of an account, which needs its row, or of a guest. */
  readonly owner: string;
  readonly slug?: string;
  readonly title?: string | null;
  readonly status?: ForecastStatus;
  readonly visibility?: Visibility;
  readonly workspace?: string | null;
  readonly source?: SourceReference | null;
  readonly horizon?: number;
  readonly models?: readonly string[];
  /** The average WQL of the historical validation. */
  readonly wql?: number | null;
  readonly createdAt?: string;
  readonly finishedAt?: string | null;
}

export const SETTINGS: ForecastSettings = {
  cadence: { frequency: '1D', kind: 'plain' },
  horizon: 3,
  quantiles: [0.5],
  models: ['theta', 'ets'],
  weightMode: 'auto',
  weights: null,
  weightingPolicy: 'rolling_loss_selection_v2',
  transform: 'auto',
  seed: 1,
  cutoff: null,
  source: null,
};

/** Inserts forecasts into their table and nowhere else: they take no slot and reserve no credits. Returns their ids. */
export async function addListedForecasts(executor: Executor, forecasts: readonly ListedFields[]): Promise<string[]> {
  await sql`
    INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
    VALUES ('snap_of_lists', 'of lists', '{}', 0, 0, '', now(), now())
    ON CONFLICT DO NOTHING`.execute(executor.query());
  const rows = forecasts.map(toRow);
  await sql`
    INSERT INTO forecast
      (id, slug, owner, payer, account_id, guest_id, workspace_id, visibility, title, status, request, settings,
      snapshot_id, checkpoints, credits, job_id, result, error, created_at, finished_at)
    SELECT id, slug, owner, owner, account_id, guest_id, workspace_id, visibility, title, status, '{}', settings,
      'snap_of_lists', '{}', 4, id, result, error, created_at, finished_at
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS t
      (id text, slug text, owner text, account_id text, guest_id text, workspace_id text, visibility text, title text,
      status text, settings json, result json, error json, created_at timestamptz, finished_at timestamptz)`.execute(
    executor.query(),
  );
  return rows.map(({ id }) => id);
}

function toRow(fields: ListedFields) {
  const { owner, title = null, wql = null, workspace = null, finishedAt = null } = fields;
  const { status = finishedAt === null ? 'queued' : 'completed' } = fields;
  const id = newId('ef');
  const isGuest = owner.startsWith('gst');
  const metrics = wql === null ? {} : { average_wql: wql };
  return {
    id,
    slug: fields.slug ?? id,
    owner,
    account_id: isGuest ? null : owner,
    guest_id: isGuest ? owner : null,
    workspace_id: workspace,
    visibility: fields.visibility ?? (workspace === null ? 'private' : 'workspace'),
    title,
    status,
    settings: {
      ...SETTINGS,
      source: fields.source ?? null,
      horizon: fields.horizon ?? SETTINGS.horizon,
      models: fields.models ?? SETTINGS.models,
    },
    ...(status === 'completed' && { result: { historical_validation: { metrics } } }),
    ...(status === 'failed' && { error: { code: 'NO_MODEL_FITTED', message: 'None.', retryable: false } }),
    created_at: fields.createdAt ?? '2026-01-01T00:00:00Z',
    finished_at: finishedAt,
  };
}

/** Sets what a list shows of the outcome of a completed forecast. */
export async function setOutcome(
  executor: Executor,
  id: string,
  status: Exclude<OutcomeStatus, 'complete'>,
  metrics: { readonly average_wql: number; readonly relative_wql: number | null } | null,
): Promise<void> {
  await sql`
    INSERT INTO forecast_outcome (forecast_id, status, metrics)
    VALUES (${id}, ${status}, ${metrics && JSON.stringify(metrics)}::json)
    ON CONFLICT (forecast_id) DO UPDATE SET status = excluded.status, metrics = excluded.metrics`.execute(
    executor.query(),
  );
}
