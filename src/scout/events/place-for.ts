import type { Account } from '../../access/index.ts';
import { Fault, type Visibility } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { lockPlace, requirePlace } from '../../workspaces/index.ts';
import { ANY_EVENT } from './visible-events.ts';

/** Where an event is to be, and who may see it. */
export interface PlaceOfEvent {
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
}

interface AskedPlace {
  readonly workspace_id?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/** Where a request wants its events, if the caller may put them there. */
export async function placeFor(executor: Executor, principal: Account, asked: AskedPlace): Promise<PlaceOfEvent> {
  const { workspace_id: named, visibility } = asked;
  if (named === undefined) {
    if (visibility === 'workspace') throw new Fault('INVALID_REQUEST', 'visibility: workspace needs a workspace_id.');
    return { workspaceId: null, visibility: visibility ?? 'private' };
  }
  const { workspaceId } = await requirePlace(executor, principal, named, 'event.create', ANY_EVENT);
  return { workspaceId, visibility: visibility ?? 'workspace' };
}

/** The same in the transaction that stores them: from here to its end the place cannot be lost. */
export async function keepPlace(tx: Transaction, principal: Account, { workspaceId }: PlaceOfEvent): Promise<void> {
  if (workspaceId !== null) await lockPlace(tx, principal, workspaceId, 'event.create', ANY_EVENT);
}
