import type { Insertable } from 'kysely';
import { type Executor, newId } from '../../platform/index.ts';
import type { IdentityTables, SecurityEventTable } from '../tables.ts';
import type { Origin } from './origin.ts';

export interface NewSecurityEvent {
  readonly accountId: string;
  readonly kind: SecurityEventTable['kind'];
  readonly at: Date;
  /** Absent: it did not come over the network (the command line, a worker). */
  readonly origin?: Origin | undefined;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Notes what happened to an account, in the transaction in which it happens.
 *
 * @example await recordSecurityEvent(tx, { accountId, kind: 'key_created', at: now, details: { key_id: id } });
 */
export async function recordSecurityEvent(executor: Executor, event: NewSecurityEvent): Promise<void> {
  await recordSecurityEvents(executor, [event]);
}

/** A statement has room for so many values. */
const EVENTS_A_STATEMENT = 1_000;

/** The same for something that happens to many accounts. */
export async function recordSecurityEvents(executor: Executor, events: readonly NewSecurityEvent[]): Promise<void> {
  for (let done = 0; done < events.length; done += EVENTS_A_STATEMENT) {
    const rows = events.slice(done, done + EVENTS_A_STATEMENT).map(eventRow);
    await executor.query<IdentityTables>().insertInto('security_event').values(rows).execute();
  }
}

function eventRow({ accountId, kind, at, origin, details = {} }: NewSecurityEvent): Insertable<SecurityEventTable> {
  return {
    id: newId('sev', at.getTime()),
    account_id: accountId,
    kind,
    at,
    network: origin?.network ?? null,
    user_agent: shortAgent(origin?.userAgent),
    details,
  };
}

/** What a browser says of itself, cut to what can be of use. */
export function shortAgent(userAgent: string | null | undefined): string | null {
  return userAgent?.slice(0, 300) ?? null;
}
