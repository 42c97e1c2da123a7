import type { z } from 'zod';
import { formatFieldPath, type ResourceScopeChoice } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { WorkspaceContext } from '../context.ts';
import type { CsvTables } from '../csv/tables.ts';
import { unknownScopeId } from '../faults.ts';
import type { ScopePart } from '../scopes.ts';
import type { WorkspaceMemberTable } from '../tables.ts';

/** The resource scope in a request. A part that is left out does not change. */
export type ScopeChoice = z.output<typeof ResourceScopeChoice>;

export type ScopeColumns = Pick<
  WorkspaceMemberTable,
  'csv_scope_mode' | 'csv_scope_ids' | 'forecasts_scope_mode' | 'forecasts_scope_ids'
>;

/**
 * Returns the columns of a scope. Throws a fault unless every id is that of a file or forecast of this workspace, because
 * any other id would seem to give access without doing so. A forecast that is private to another account counts as
 * unknown, because the caller must not learn that it exists.
 */
export async function readScopeColumns(
  context: WorkspaceContext,
  tx: Transaction,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  { csv, forecasts }: ScopeChoice,
): Promise<Partial<ScopeColumns>> {
  const csvIds = csv?.ids ?? [];
  const forecastIds = forecasts?.ids ?? [];
  if (csvIds.length > 0) refuseUnknownId('csv', csvIds, await filesIn(tx, workspaceId, csvIds));
  if (forecastIds.length > 0) {
    refuseUnknownId('forecasts', forecastIds, await context.forecastsIn(tx, workspaceId, forecastIds, accountId));
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

function refuseUnknownId(part: ScopePart, chosen: readonly string[], known: readonly string[]): void {
  const knownIds = new Set(known);
  const index = chosen.findIndex((id) => !knownIds.has(id));
  if (index === -1) return;
  throw unknownScopeId(formatFieldPath(['resource_scope', part, 'ids', index]), part === 'csv' ? 'file' : 'forecast');
}
