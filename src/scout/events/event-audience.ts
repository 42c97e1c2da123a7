import type { Account } from '../../access/index.ts';
import type { SourceReference, Visibility } from '../../contract/index.ts';
import type { Executor, Transaction } from '../../platform/index.ts';
import { lockMembership, requireMembership } from '../../workspaces/index.ts';
import { workspaceIdRequired } from '../faults.ts';
import { ANY_EVENT_ID } from './list-events.ts';

/** Determines the readers of an event: its workspace, if it has one, and its visibility. */
export interface EventAudience {
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
}

interface RequestedAudience {
  readonly workspace_id?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/** Returns the audience that a request names, with defaults filled in, if the caller may publish to it. */
export async function requireAudience(
  executor: Executor,
  principal: Account,
  { workspace_id: requested, visibility }: RequestedAudience,
): Promise<EventAudience> {
  if (requested === undefined) {
    if (visibility === 'workspace') throw workspaceIdRequired();
    return { workspaceId: null, visibility: visibility ?? 'private' };
  }
  const { workspaceId } = await requireMembership(executor, principal, requested, 'event.create', ANY_EVENT_ID);
  return { workspaceId, visibility: visibility ?? 'workspace' };
}

/**
 * Repeats the check in the transaction that stores the events. The caller cannot lose the membership before the
 * transaction ends.
 */
export async function lockAudience(tx: Transaction, principal: Account, { workspaceId }: EventAudience): Promise<void> {
  if (workspaceId !== null) await lockMembership(tx, principal, workspaceId, 'event.create', ANY_EVENT_ID);
}

/**
 * Returns whether this source may resolve a question for this audience. The resolution shows a row of the source, and a
 * row of a workspace file may be shown only to the author or within the workspace of the file.
 *
 * @param source with its defaults filled in and the id of its workspace
 */
export function canShowSource(source: SourceReference, { workspaceId, visibility }: EventAudience): boolean {
  if (source.type !== 'workspace_csv' || visibility === 'private') return true;
  return visibility === 'workspace' && workspaceId === source.workspace_id;
}
