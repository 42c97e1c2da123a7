import { type Account, decideCaller } from '../../access/index.ts';
import { EVENT_ACTIONS, type EventActionName, Fault, MAX_REVISIONS } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import type { EventRow } from '../tables.ts';
import { findEvent } from './find-event.ts';
import { revisableUntil } from './revise-event.ts';

export interface AllowedEventActions {
  readonly event: EventRow;
  readonly actions: readonly EventActionName[];
  /** No revision is accepted from then on. */
  readonly revisableUntil: Date;
}

/** Returns what a caller that may read an event may also do with it now. */
export async function listEventActions(
  { database, clock }: Pick<ScoutContext, 'database' | 'clock'>,
  principal: Account,
  idOrSlug: string,
): Promise<AllowedEventActions> {
  const event = await findEvent(database, principal, idOrSlug, 'event.read');
  const until = revisableUntil(event);
  const isOpen = {
    revise: event.status === 'pending' && clock.now() < until && event.revision < MAX_REVISIONS,
    resolve: event.status === 'pending',
  };
  const actions: EventActionName[] = [];
  for (const name of EVENT_ACTIONS) {
    if (!isOpen[name] || !decideCaller(principal, `event.${name}`).allowed) continue;
    if (await isAccessible(findEvent(database, principal, event.id, `event.${name}`))) actions.push(name);
  }
  return { event, actions, revisableUntil: until };
}

/** Returns whether a check of access succeeds. */
async function isAccessible(check: Promise<unknown>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
