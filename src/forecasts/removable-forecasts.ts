import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../platform/index.ts';
import { ownedWorkspaces } from '../workspaces/index.ts';
import { nameForecast } from './name-forecast.ts';
import type { ForecastTables } from './tables.ts';

/** A forecast in a list of what an account owns. */
export interface OwnedForecast {
  readonly id: string;
  readonly slug: string;
  /** The title or, without one, the source and the horizon. Null for a private forecast of another member. */
  readonly name: string | null;
  readonly createdAt: Date;
}

/** The newest forecasts, and the number of all of them. */
export interface OwnedForecasts {
  readonly total: number;
  readonly forecasts: readonly OwnedForecast[];
}

/** Selects the forecasts that are removed with an account: its own, and all in its workspaces. */
function isRemovedWith(accountId: string): RawBuilder<boolean> {
  return sql`(forecast.workspace_id IN (${ownedWorkspaces(accountId)})
    OR (forecast.owner = ${accountId} AND (forecast.workspace_id IS NULL OR forecast.visibility = 'private')))`;
}

/**
 * Selects the forecasts that can stay when an account is removed: the completed public ones of the account outside
 * workspaces, and those in its own workspaces.
 */
export function isKeepable(accountId: string): RawBuilder<boolean> {
  return sql`(forecast.visibility = 'public' AND forecast.status = 'completed' AND ${isRemovedWith(accountId)})`;
}

/** Returns the forecasts that are removed with an account. */
export function listRemovable(executor: Executor, accountId: string, limit: number): Promise<OwnedForecasts> {
  return list(executor, accountId, isRemovedWith(accountId), limit);
}

/** Returns the public forecasts that can stay when an account is removed. */
export function listKeepable(executor: Executor, accountId: string, limit: number): Promise<OwnedForecasts> {
  return list(executor, accountId, isKeepable(accountId), limit);
}

async function list(
  executor: Executor,
  accountId: string,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<OwnedForecasts> {
  const db = executor.query<ForecastTables>();
  const rows = await db
    .selectFrom('forecast')
    .select(['id', 'slug', 'title', 'settings', 'owner', 'visibility', 'created_at'])
    .select(sql<number>`count(*) OVER ()`.as('total'))
    .where(condition)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const forecasts = rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.visibility === 'private' && row.owner !== accountId ? null : nameForecast(row),
    createdAt: row.created_at,
  }));
  return { total: rows[0]?.total ?? 0, forecasts };
}
