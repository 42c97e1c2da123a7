import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { EventHistoryEntry } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { findEvent } from '../events/find-event.ts';
import type { ScoutTables } from '../tables.ts';

export type HistoryView = z.output<typeof EventHistoryEntry>;

/** A page of what happened to an event, newest first. */
export async function readHistory(
  context: ScoutContext,
  principal: Account,
  idOrSlug: string,
  page: PageRequest,
): Promise<{ entries: HistoryView[]; nextCursor: string | null }> {
  const { id } = await findEvent(context.database, principal, idOrSlug, 'event.read');
  const query = context.database
    .query<ScoutTables>()
    .selectFrom('event_audit')
    .select(['id', 'action', 'actor', 'details', 'created_at'])
    .where('event_id', '=', id);
  const { rows, nextCursor } = await readNewestFirst(await context.cursorKey(), `history of ${id}`, page, query);
  const entries = rows.map(({ action, actor, details, created_at }) => ({
    at: created_at.toISOString(),
    action,
    by: actor,
    details: details as Record<string, unknown>,
  }));
  return { entries, nextCursor };
}
