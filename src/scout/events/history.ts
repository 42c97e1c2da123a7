import { sql } from 'kysely';
import type { z } from 'zod';
import type { Account } from '../../access/index.ts';
import type { EventActor, EventHistoryEntry } from '../../contract/index.ts';
import { type PageRequest, readNewestFirst, type Transaction } from '../../platform/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventAction, ScoutTables } from '../tables.ts';
import { findEvent } from './find-event.ts';

/** The account that changed an event, and the capacity in which it did so. */
export interface Actor {
  /** Null if the resolution rule made the change. */
  readonly accountId: string | null;
  readonly as: EventActor;
}

export const RULE_ACTOR: Actor = { accountId: null, as: 'rule' };

interface NewHistoryEntry {
  readonly eventId: string;
  readonly action: EventAction;
  readonly actor: Actor;
  readonly details: object;
  readonly now: Date;
}

/**
 * Adds an entry to the history of an event. The caller must have locked the row of the event, because entries are
 * numbered in order.
 */
export async function recordHistoryEntry(tx: Transaction, entry: NewHistoryEntry): Promise<void> {
  const { eventId, action, actor, details, now } = entry;
  await sql`
    INSERT INTO event_audit (id, event_id, action, actor_account_id, actor, details, created_at)
    SELECT ${eventId} || '.' || lpad((count(*) + 1)::text, 6, '0'), ${eventId}, ${action}, ${actor.accountId}::text,
      ${actor.as}, ${JSON.stringify(details)}::json, greatest(${now}::timestamptz, max(created_at))
    FROM event_audit WHERE event_id = ${eventId}`.execute(tx.query());
}

/**
 * Returns the id of the nth revision or history entry of an event. Ids sort by number, even if they were created in the
 * same millisecond.
 */
export function entryId(eventId: string, number: number): string {
  return `${eventId}.${String(number).padStart(6, '0')}`;
}

type HistoryView = z.output<typeof EventHistoryEntry>;

/** Returns a page of the history of an event, newest first. */
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
