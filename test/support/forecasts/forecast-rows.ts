import { sql } from 'kysely';
import type { ForecastStatus } from '../../../src/contract/index.ts';
import { forecastMigrations } from '../../../src/forecasts/migrations/index.ts';
import { identityMigrations } from '../../../src/identity/index.ts';
import type { DomainMigrations, Executor } from '../../../src/platform/index.ts';
import { newId, signingMigrations } from '../../../src/platform/index.ts';
import { snapshotMigrations } from '../../../src/snapshots/index.ts';
import { workspaceMigrations } from '../../../src/workspaces/index.ts';

/** The migrations of forecasts and of every table that they refer to. */
export const FORECAST_MIGRATIONS: readonly DomainMigrations[] = [
  signingMigrations,
  snapshotMigrations,
  identityMigrations,
  workspaceMigrations,
  forecastMigrations,
];

export interface ForecastRowFields {
  /** The id of a guest, which needs no row of its own. */
  readonly owner: string;
  readonly status?: ForecastStatus;
  readonly credits?: number;
}

/** Inserts a row into the table of forecasts and nowhere else: it takes no slot and reserves no credits. */
export async function addForecastRow(executor: Executor, forecast: ForecastRowFields): Promise<string> {
  const { owner, status = 'queued', credits = 10 } = forecast;
  const id = newId('ef');
  await sql`
    INSERT INTO snapshot (id, sha256, header, rows, size, packed, created_at, last_used_at)
    VALUES ('snap_of_forecast_rows', 'none', '{}', 0, 0, '', now(), now())
    ON CONFLICT DO NOTHING`.execute(executor.query());
  await sql`
    INSERT INTO forecast
      (id, slug, owner, payer, guest_id, visibility, status, request, settings, snapshot_id, checkpoints, credits, job_id,
      result, error, created_at)
    VALUES
      (${id}, ${id}, ${owner}, ${owner}, ${owner}, 'private', ${status}, '{}', '{}', 'snap_of_forecast_rows', '{}', ${credits}, ${id},
      ${resultOf(status)}::jsonb, ${errorOf(status)}::jsonb, now())`.execute(executor.query());
  return id;
}

/** Changes the status and the columns that the table requires with it. */
export async function setForecastStatus(executor: Executor, id: string, status: ForecastStatus): Promise<void> {
  await sql`
    UPDATE forecast
    SET status = ${status}, result = ${resultOf(status)}::jsonb, error = ${errorOf(status)}::jsonb
    WHERE id = ${id}`.execute(executor.query());
}

function resultOf(status: ForecastStatus): string | null {
  return status === 'completed' ? '{}' : null;
}

function errorOf(status: ForecastStatus): string | null {
  return status === 'failed' ? '{}' : null;
}
