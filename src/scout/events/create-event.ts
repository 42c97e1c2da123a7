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
  const rule = asked ? await acceptRule(context, principal, asked, { now, deadline, place, signal }) : null;
  const event: NewEvent = {
    slug: body.slug ?? slugOf(body.question, 'question'),
    askedSlug: body.slug,
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

/**
 * The slug is taken. Who has it, or has asked for it before, is told; anybody else gets one of its own that begins like
 * it.
 */
async function underAnotherSlug(tx: Transaction, event: NewEvent, now: Date): Promise<EventRow> {
  await refuseAskedBefore(tx, event);
  const [stored] = await insertEvents(tx, [{ ...event, slug: slugOf(event.slug, 'question') }], now);
  if (stored !== undefined) return stored;
  // The same request came twice at once, and the other one was faster.
  await refuseAskedBefore(tx, event);
  throw new Error('A slug with random characters is taken.');
}

async function refuseAskedBefore(tx: Transaction, { slug, authorId }: NewEvent): Promise<void> {
  const own = await tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select('id')
    .where('author_account_id', '=', authorId)
    .where((where) => where.or([where('slug', '=', slug), where('asked_slug', '=', slug)]))
    .executeTakeFirst();
  if (own === undefined) return;
  throw new Fault(
    'CONFLICT',
    `slug: you have used it for your forecast ${own.id}. Choose another, or revise that one.`,
  );
}
