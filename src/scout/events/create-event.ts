import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import { type EventRequestBody, Fault } from '../../contract/index.ts';
import { slugOf, type Transaction } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { acceptRule } from '../rules/accept-rule.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { acceptCutoff, acceptDeadline } from './check-times.ts';
import { insertEvents, type NewEvent } from './insert-events.ts';
import { keepPlace, placeFor } from './place-for.ts';

export type EventBody = z.output<typeof EventRequestBody>;

/** Publishes an event forecast, where the caller may. */
export async function createEvent(
  context: ScoutContext,
  principal: Account,
  body: EventBody,
  signal?: AbortSignal,
): Promise<EventRow> {
  const now = context.clock.now();
  const inputCutoffAt = acceptCutoff(body.input_cutoff_at, now);
  const deadline = acceptDeadline(body.resolution_deadline, inputCutoffAt, now);
  const place = await placeFor(context.database, principal, body);
  const { resolution_rule: asked } = body;
  const rule = asked ? await acceptRule(context, principal, asked, { now, deadline, signal }) : null;
  const event: NewEvent = {
    slug: body.slug ?? slugOf(body.question, 'question'),
    authorId: principal.accountId,
    ...place,
    category: body.category,
    entity: body.entity,
    question: body.question,
    headline: body.possible_future_headline,
    probability: body.probability,
    inputCutoffAt,
    deadline,
    model: body.model ?? null,
    rule,
    origin: null,
  };
  return context.database.transaction(async (tx) => {
    await keepPlace(tx, principal, place);
    const [stored] = await insertEvents(tx, [event], now);
    return stored ?? underAnotherSlug(tx, event, now);
  });
}

/** The slug is taken. Whoever has it, its own author is told; anybody else gets one of its own that begins like it. */
async function underAnotherSlug(tx: Transaction, event: NewEvent, now: Date): Promise<EventRow> {
  const own = await tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select('id')
    .where('slug', '=', event.slug)
    .where('author_account_id', '=', event.authorId)
    .executeTakeFirst();
  if (own) throw new Fault('CONFLICT', `slug: your forecast ${own.id} has it. Choose another, or revise that one.`);
  const [stored] = await insertEvents(tx, [{ ...event, slug: slugOf(event.slug, 'question') }], now);
  if (stored === undefined) throw new Error('A slug with random characters is taken.');
  return stored;
}
