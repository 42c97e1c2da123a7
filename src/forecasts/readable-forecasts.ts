import { sql } from 'kysely';
import type { Account, Guest } from '../access/index.ts';
import type { ResourceScopeMode, Role } from '../contract/index.ts';
import type { Executor } from '../platform/index.ts';
import { readStoredScope } from '../workspaces/index.ts';
import { type AccessFacts, isAccessible } from './find-forecast.ts';

/** A caller and a forecast that it reads. */
export interface Reader {
  readonly principal: Account | Guest;
  readonly forecastId: string;
}

interface ReaderRow extends AccessFacts {
  readonly place: number;
  readonly role: Role | null;
  readonly csv_scope_mode: ResourceScopeMode;
  readonly csv_scope_ids: string[];
  readonly forecasts_scope_mode: ResourceScopeMode;
  readonly forecasts_scope_ids: string[];
}

/** Returns whether each caller may read its forecast, in their order. One statement reads all forecasts and memberships. */
export async function areReadable(executor: Executor, readers: readonly Reader[]): Promise<boolean[]> {
  if (readers.length === 0) return [];
  const accounts = readers.map(({ principal }) => (principal.kind === 'account' ? principal.accountId : null));
  const { rows } = await sql<ReaderRow>`
    SELECT place::int, forecast.id, owner, forecast.workspace_id, visibility, role, csv_scope_mode, csv_scope_ids,
      forecasts_scope_mode, forecasts_scope_ids
    FROM unnest(${readers.map(({ forecastId }) => forecastId)}::text[], ${accounts}::text[])
      WITH ORDINALITY AS reader(forecast_id, account_id, place)
    JOIN forecast ON forecast.id = reader.forecast_id
    LEFT JOIN workspace_member AS member
      ON member.workspace_id = forecast.workspace_id AND member.account_id = reader.account_id`.execute(
    executor.query(),
  );
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return readers.map(({ principal }, index) => {
    const row = byPlace.get(index + 1);
    return row !== undefined && isAccessible(principal, 'forecast.read', row, membershipOf(row));
  });
}

function membershipOf({ role, ...row }: ReaderRow) {
  if (role === null) return null;
  return {
    role,
    csv: readStoredScope(row.csv_scope_mode, row.csv_scope_ids),
    forecasts: readStoredScope(row.forecasts_scope_mode, row.forecasts_scope_ids),
  };
}
