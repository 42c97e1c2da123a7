import type { SourceReference, Visibility } from '../../contract/index.ts';

interface Place {
  readonly workspaceId: string | null;
  readonly visibility: Visibility;
}

/**
 * Whether a question in this place may be decided by this source. Its resolution shows a row: one of a workspace's file
 * is for its author alone, or for that workspace.
 *
 * @param source as it was resolved, with the id of its workspace
 */
export function mayObserve(source: SourceReference, { workspaceId, visibility }: Place): boolean {
  if (source.type !== 'workspace_csv' || visibility === 'private') return true;
  return visibility === 'workspace' && workspaceId === source.workspace_id;
}
