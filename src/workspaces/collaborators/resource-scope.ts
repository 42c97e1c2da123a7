import type { z } from 'zod';
import { Fault, fieldPath, type ResourceScopeChoice } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { CsvTables } from '../csv/tables.ts';
import type { ScopePart } from '../scopes.ts';
import type { WorkspaceMemberTable } from '../tables.ts';

/** As a caller chooses it: a part that is left out is not chosen. */
export type ScopeChoice = z.output<typeof ResourceScopeChoice>;

export type ScopeColumns = Pick<
  WorkspaceMemberTable,
  'csv_scope_mode' | 'csv_scope_ids' | 'forecasts_scope_mode' | 'forecasts_scope_ids'
>;

/**
 * The columns of what was chosen. Every id must be of something in this workspace: what is listed by mistake, or from
 * another workspace, would open nothing and look as if it did. So would what is private to somebody else than the one
 * who chooses, who is not told that it is there.
 */
export async function columnsOf(
  context: WorkspaceContext,
  tx: Transaction,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  { csv, forecasts }: ScopeChoice,
): Promise<Partial<ScopeColumns>> {
  const csvIds = csv?.ids ?? [];
  const forecastIds = forecasts?.ids ?? [];
  if (csvIds.length > 0) refuseUnknown('csv', csvIds, await filesIn(tx, workspaceId, csvIds));
  if (forecastIds.length > 0) {
    refuseUnknown('forecasts', forecastIds, await context.forecastsIn(tx, workspaceId, forecastIds, accountId));
  }
  return {
    ...(csv && { csv_scope_mode: csv.mode, csv_scope_ids: csvIds }),
    ...(forecasts && { forecasts_scope_mode: forecasts.mode, forecasts_scope_ids: forecastIds }),
  };
}

async function filesIn(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .query<CsvTables>()
    .selectFrom('csv_file')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('ready_at', 'is not', null)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

function refuseUnknown(part: ScopePart, chosen: readonly string[], known: readonly string[]): void {
  const isKnown = new Set(known);
  const index = chosen.findIndex((id) => !isKnown.has(id));
  if (index === -1) return;
  const thing = part === 'csv' ? 'file' : 'forecast';
  throw new Fault(
    'INVALID_REQUEST',
    `${fieldPath(['resource_scope', part, 'ids', index])}: is no ${thing} of this workspace. Take the id from the workspace’s list.`,
  );
}
