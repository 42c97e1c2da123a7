import { sql } from 'kysely';
import type { ForecastStatus } from '../../../src/contract/index.ts';
import { jobMigrations } from '../../../src/forecasts/migrations/index.ts';
import { identityMigrations } from '../../../src/identity/index.ts';
import type { DomainMigrations, Executor } from '../../../src/platform/index.ts';
import { newId, signingMigrations } from '../../../src/platform/index.ts';
import { snapshotMigrations } from '../../../src/snapshots/index.ts';
import { workspaceMigrations } from '../../../src/workspaces/index.ts';

/** All that the tables of forecasts stand on, and they themselves. */
export const FORECAST_MIGRATIONS: readonly DomainMigrations[] = [
  signingMigrations,
  snapshotMigrations,
  identityMigrations,
  workspaceMigrations,
  jobMigrations,
];

export interface ForecastRow {
  /** A guest's id: it needs no row of its own. */
  readonly owner: string;
  readonly status?: ForecastStatus;
  readonly credits?: number;
}

/** Puts a forecast into the table, and nowhere else: it takes no slot and reserves nothing. */
export async function addForecastRow(executor: Executor, forecast: ForecastRow): Promise<string> {
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

/** Changes the status, and what the table asks for with it. */
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
