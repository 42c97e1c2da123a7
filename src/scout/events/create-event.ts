import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { EventRequestBody } from '../../contract/index.ts';
import { endAtRandom, slugOf, type Transaction } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import { slugAlreadyUsed } from '../faults.ts';
import { acceptRule } from '../rules/accept-rule.ts';
import type { EventRow, ScoutTables } from '../tables.ts';
import { lockAudience, requireAudience } from './event-audience.ts';
import { acceptCutoff, acceptDeadline } from './event-times.ts';
import { insertEvents, type NewEvent } from './store-events.ts';

/** Publishes an event forecast. */
export async function createEvent(
  context: ScoutContext,
  principal: Account,
  body: z.output<typeof EventRequestBody>,
  signal?: AbortSignal,
): Promise<EventRow> {
  const now = context.clock.now();
  const inputCutoffAt = acceptCutoff(body.input_cutoff_at, now);
  const deadline = acceptDeadline(body.resolution_deadline, inputCutoffAt, now);
  const audience = await requireAudience(context.database, principal, body);
  const rule = body.resolution_rule
    ? await acceptRule(context, principal, body.resolution_rule, { now, deadline, audience, signal })
    : null;
  const event: NewEvent = {
    slug: body.slug === undefined ? slugOf(body.question, 'question') : endAtRandom(body.slug),
    requestedSlug: body.slug,
    authorId: principal.accountId,
    ...audience,
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
    await lockAudience(tx, principal, audience);
    await refuseOwnSlug(tx, event);
    const [stored] = await insertEvents(tx, [event], { stamps: context.stamps, now });
    if (stored !== undefined) return stored;
    // A concurrent copy of the same request was stored first.
    await refuseOwnSlug(tx, event);
    throw new Error('A slug with random characters is taken.');
  });
}

/**
 * Throws a fault if the author has already requested this slug, so that a repeated request does not publish the event
 * twice.
 */
async function refuseOwnSlug(tx: Transaction, { requestedSlug, authorId }: NewEvent): Promise<void> {
  if (requestedSlug === undefined) return;
  const own = await tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select('id')
    .where('author_account_id', '=', authorId)
    .where((where) => where.or([where('slug', '=', requestedSlug), where('asked_slug', '=', requestedSlug)]))
    .executeTakeFirst();
  if (own !== undefined) throw slugAlreadyUsed(own.id);
}
