import { sql } from 'kysely';
import type { EventActor } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { EventAction } from '../tables.ts';

/** Who did something, and as whom. */
export interface Actor {
  /** Null: the rule. */
  readonly accountId: string | null;
  readonly as: EventActor;
}

export const THE_RULE: Actor = { accountId: null, as: 'rule' };

export interface NewEntry {
  readonly eventId: string;
  readonly action: EventAction;
  readonly actor: Actor;
  readonly details: object;
  readonly now: Date;
}

/** Adds to the history of an event. The caller has locked its row: entries are numbered one after the other. */
export async function recordEntry(tx: Transaction, entry: NewEntry): Promise<void> {
  const { eventId, action, actor, details, now } = entry;
  await sql`
    INSERT INTO event_audit (id, event_id, action, actor_account_id, actor, details, created_at)
    SELECT ${eventId} || '.' || lpad((count(*) + 1)::text, 6, '0'), ${eventId}, ${action}, ${actor.accountId}::text,
      ${actor.as}, ${JSON.stringify(details)}::json, greatest(${now}::timestamptz, max(created_at))
    FROM event_audit WHERE event_id = ${eventId}`.execute(tx.query());
}
