import type { Insertable } from 'kysely';
import type { Visibility } from '../../contract/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { StampPolicy } from '../../provenance/index.ts';
import { tooManyPendingEvents } from '../faults.ts';
import { requestRevisionStamps, sealRevision } from '../proofs/revision-proof.ts';
import type { AcceptedRule } from '../rules/accept-rule.ts';
import type { EventForecastTable, EventRow, Origin, ScoutTables } from '../tables.ts';
import { entryId } from './history.ts';

/** An event that is ready to be stored. */
export interface NewEvent {
  readonly slug: string;
  /** The slug in the request, without the random characters that end `slug`. */
  readonly requestedSlug?: string | undefined;
  readonly authorId: string;
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
  readonly category: string;
  readonly entity: { readonly type: string; readonly name: string; readonly ticker?: string | undefined };
  readonly question: string;
  readonly headline: string;
  readonly probability: number;
  readonly inputCutoffAt: Date;
  readonly deadline: Date;
  readonly model: string | null;
  readonly rule: AcceptedRule | null;
  /** When the outcome becomes known. Given for an event without a rule; otherwise it follows from the rule. */
  readonly observedUntil?: Date | undefined;
  readonly origin: Origin | null;
}

export interface StoreOptions {
  /** Which revisions are stamped. */
  readonly stamps: StampPolicy;
  readonly now: Date;
}

/** The limit for one author. */
const MAX_PENDING_EVENTS = 10_000;

/**
 * Stores events of one author, each with its first revision, the proof of the revision and a history entry.
 * @returns the stored events. An event is left out if its slug is taken or its author has requested the slug before
 */
export async function insertEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  { stamps, now }: StoreOptions,
): Promise<EventRow[]> {
  await refuseTooManyPending(tx, events);
  const db = tx.query<ScoutTables>();
  const stored = await db
    .insertInto('event_forecast')
    .values(events.map((event) => toEventRow(event, now)))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
  if (stored.length === 0) return [];
  const published = stored.map((row) => ({ visibility: row.visibility, revision: toFirstRevision(row, now) }));
  await db
    .insertInto('event_revision')
    .values(published.map(({ revision }) => revision))
    .execute();
  const proofs = published.map(({ visibility, revision: { id, content_cid } }) => ({ id, content_cid, visibility }));
  await requestRevisionStamps(tx, stamps, proofs, now);
  await db
    .insertInto('event_audit')
    .values(
      stored.map((row) => ({
        id: entryId(row.id, 1),
        event_id: row.id,
        action: 'created' as const,
        actor_account_id: row.author_account_id,
        actor: 'author' as const,
        details: { revision: 1, probability: row.probability },
        created_at: now,
      })),
    )
    .execute();
  return stored;
}

function toFirstRevision(row: EventRow, now: Date) {
  const revision = {
    id: entryId(row.id, 1),
    event_id: row.id,
    number: 1,
    probability: row.probability,
    possible_future_headline: row.possible_future_headline,
    input_cutoff_at: row.input_cutoff_at,
    note: null,
    author_account_id: row.author_account_id,
    made_by: 'author' as const,
    created_at: now,
  };
  return { ...revision, ...sealRevision(row, revision) };
}

function toEventRow(event: NewEvent, now: Date): Insertable<EventForecastTable> {
  const { entity, rule, origin } = event;
  return {
    id: newId('evt', now.getTime()),
    slug: event.slug,
    asked_slug: event.requestedSlug ?? null,
    author_account_id: event.authorId,
    workspace_id: event.workspaceId,
    visibility: event.visibility,
    category: event.category,
    entity_type: entity.type,
    entity_name: entity.name,
    entity_ticker: entity.ticker ?? '',
    question: event.question,
    resolution_deadline: event.deadline,
    resolution_rule: rule?.rule ?? null,
    observed_until: rule?.observedUntil ?? event.observedUntil ?? null,
    read_until: rule?.readUntil ?? null,
    final_at: rule?.finalAt ?? null,
    model: event.model,
    source_forecast_id: origin?.forecast_id ?? null,
    origin,
    created_at: now,
    revision: 1,
    probability: event.probability,
    possible_future_headline: event.headline,
    input_cutoff_at: event.inputCutoffAt,
    revised_at: now,
    status: 'pending',
    check_state: rule && 'waiting',
    check_message: rule && `The observation is final at ${rule.finalAt.toISOString()}.`,
    next_check_at: rule?.finalAt ?? null,
  };
}

/**
 * Refuses events beyond the limit. Counts without a lock, so concurrent requests may exceed the limit slightly, which
 * does no harm.
 */
async function refuseTooManyPending(tx: Transaction, [first, ...others]: readonly NewEvent[]): Promise<void> {
  const { pending } = await tx
    .query<ScoutTables>()
    .selectFrom('event_forecast')
    .select((select) => select.fn.countAll<number>().as('pending'))
    .where('author_account_id', '=', first?.authorId ?? '')
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  if (pending + 1 + others.length > MAX_PENDING_EVENTS) throw tooManyPendingEvents(MAX_PENDING_EVENTS);
}
