import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { EventRevision } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { findEvent } from '../events/find-event.ts';
import type { RevisionRow, ScoutTables } from '../tables.ts';

/** A page of what was said at each time, newest first. */
export async function listRevisions(
  context: ScoutContext,
  principal: Account,
  idOrSlug: string,
  page: PageRequest,
): Promise<{ revisions: z.output<typeof EventRevision>[]; nextCursor: string | null }> {
  const { id } = await findEvent(context.database, principal, idOrSlug, 'event.read');
  const query = context.database
    .query<ScoutTables>()
    .selectFrom('event_revision')
    .selectAll()
    .where('event_id', '=', id);
  const { rows, nextCursor } = await readNewestFirst(await context.cursorKey(), `revisions of ${id}`, page, query);
  return { revisions: rows.map(viewRevision), nextCursor };
}

function viewRevision(row: RevisionRow): z.output<typeof EventRevision> {
  return {
    revision: row.number,
    probability: row.probability,
    possible_future_headline: row.possible_future_headline,
    input_cutoff_at: row.input_cutoff_at.toISOString(),
    note: row.note,
    by: row.made_by,
    created_at: row.created_at.toISOString(),
  };
}
