import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { type EventRevision, MAX_REVISIONS, type RevisionRequestBody } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst } from '../../platform/index.ts';
import { type ReceiptView, readReceipts } from '../../provenance/index.ts';
import type { ScoutContext } from '../context.ts';
import { eventNotPending, outcomeDecided, revisionDeadlinePassed, tooManyRevisions } from '../faults.ts';
import { requestRevisionStamps, sealRevision } from '../proofs/revision-proof.ts';
import type { EventRow, RevisionRow, ScoutTables } from '../tables.ts';
import { acceptCutoff } from './event-times.ts';
import { determineActor, findEvent, lockEvent } from './find-event.ts';
import { entryId, recordHistoryEntry } from './history.ts';

/** Adds a revision to an event that is still open. Earlier revisions do not change. */
export async function reviseEvent(
  context: ScoutContext,
  principal: Account,
  idOrSlug: string,
  body: z.output<typeof RevisionRequestBody>,
): Promise<EventRow> {
  const found = await findEvent(context.database, principal, idOrSlug, 'event.revise');
  return context.database.transaction(async (tx) => {
    const event = await lockEvent(tx, principal, found, 'event.revise');
    const now = context.clock.now();
    refuseClosed(event, now);
    const number = event.revision + 1;
    const made_by = determineActor(principal, event, 'event.revise');
    const stated = {
      probability: body.probability,
      possible_future_headline: body.possible_future_headline ?? event.possible_future_headline,
      input_cutoff_at: acceptCutoff(body.input_cutoff_at, now),
    };
    // If the clock was set back, the revision must still not be dated before the previous one.
    const created_at = now < event.revised_at ? event.revised_at : now;
    const db = tx.query<ScoutTables>();
    const { accountId } = principal;
    const revision = {
      id: entryId(event.id, number),
      event_id: event.id,
      number,
      ...stated,
      note: body.note ?? null,
      author_account_id: accountId,
      made_by,
      created_at,
    };
    const seal = sealRevision(event, revision);
    await db
      .insertInto('event_revision')
      .values({ ...revision, ...seal })
      .execute();
    const proof = { id: revision.id, content_cid: seal.content_cid, visibility: event.visibility };
    await requestRevisionStamps(tx, context.stamps, [proof], now);
    const actor = { accountId, as: made_by };
    const details = { revision: number, probability: body.probability };
    await recordHistoryEntry(tx, { eventId: event.id, action: 'revised', actor, details, now });
    return db
      .updateTable('event_forecast')
      .set({ revision: number, ...stated, revised_at: created_at })
      .where('id', '=', event.id)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Returns the instant from which on no revision is accepted. */
export function revisableUntil({ resolution_deadline, observed_until }: EventRow): Date {
  return observed_until === null || resolution_deadline < observed_until ? resolution_deadline : observed_until;
}

function refuseClosed(event: EventRow, now: Date): void {
  const { status, observed_until, revision } = event;
  if (status !== 'pending') throw eventNotPending(status);
  const closed = revisableUntil(event);
  if (now >= closed) throw closed === observed_until ? outcomeDecided(closed) : revisionDeadlinePassed(closed);
  if (revision >= MAX_REVISIONS) throw tooManyRevisions(MAX_REVISIONS);
}

/** Returns a page of the revisions of an event, newest first. */
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
  const contentCids = rows.flatMap(({ content_cid }) => content_cid ?? []);
  const receipts = await readReceipts(context.database, context.stamps, contentCids);
  return { revisions: rows.map((row) => viewRevision(row, receipts.get(row.content_cid ?? ''))), nextCursor };
}

function viewRevision(row: RevisionRow, receipt: ReceiptView | undefined): z.output<typeof EventRevision> {
  return {
    revision: row.number,
    probability: row.probability,
    possible_future_headline: row.possible_future_headline,
    input_cutoff_at: row.input_cutoff_at.toISOString(),
    note: row.note,
    by: row.made_by,
    created_at: row.created_at.toISOString(),
    provenance: receipt ?? null,
  };
}
