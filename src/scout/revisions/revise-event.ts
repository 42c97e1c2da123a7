import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { Fault, type RevisionRequestBody } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { acceptCutoff } from '../events/check-times.ts';
import { actingAs, findEvent } from '../events/find-event.ts';
import { lockEvent } from '../events/lock-event.ts';
import { numbered } from '../history/numbered.ts';
import { recordEntry } from '../history/record-entry.ts';
import type { EventRow, ScoutTables } from '../tables.ts';

const MAX_REVISIONS = 1_000;

/** Adds a revision to an event that is still open. What was said before stays as it was said. */
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
    const made_by = actingAs(principal, event, 'event.revise');
    const said = {
      probability: body.probability,
      possible_future_headline: body.possible_future_headline ?? event.possible_future_headline,
      input_cutoff_at: acceptCutoff(body.input_cutoff_at, now),
    };
    // A clock that was set back must not put a revision before the one that it follows.
    const created_at = now < event.revised_at ? event.revised_at : now;
    const db = tx.query<ScoutTables>();
    const { accountId } = principal;
    await db
      .insertInto('event_revision')
      .values({
        id: numbered(event.id, number),
        event_id: event.id,
        number,
        ...said,
        note: body.note ?? null,
        author_account_id: accountId,
        made_by,
        created_at,
      })
      .execute();
    const actor = { accountId, as: made_by };
    const details = { revision: number, probability: body.probability };
    await recordEntry(tx, { eventId: event.id, action: 'revised', actor, details, now });
    return db
      .updateTable('event_forecast')
      .set({ revision: number, ...said, revised_at: created_at })
      .where('id', '=', event.id)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

function refuseClosed({ status, resolution_deadline, observed_until, revision }: EventRow, now: Date): void {
  if (status !== 'pending') throw new Fault('CONFLICT', `The forecast is ${status}; it can no longer be revised.`);
  const closed = observed_until === null || resolution_deadline < observed_until ? resolution_deadline : observed_until;
  if (now >= closed) {
    const why = closed === observed_until ? 'The outcome is decided' : 'The deadline passed';
    throw new Fault('CONFLICT', `${why} at ${closed.toISOString()}; the forecast can no longer be revised.`);
  }
  if (revision >= MAX_REVISIONS) throw new Fault('LIMIT_REACHED', `A forecast has at most ${MAX_REVISIONS} revisions.`);
}
