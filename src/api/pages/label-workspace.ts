/** What a workspace is labeled by. Of an invitation, the owner is known by address, and the visitor has no role yet. */
type Labeled =
  | { readonly name: string; readonly role: string }
  | { readonly name: string; readonly ownerEmail: string };

/**
 * Returns the name of a workspace in lists and invitations. Every account has a personal workspace of the same name, so
 * those of other accounts are marked.
 *
 * @example labelWorkspace({ name: 'Personal', role: 'viewer' }) // Personal (shared with you)
 */
export function labelWorkspace(workspace: Labeled): string {
  const { name } = workspace;
  if ('ownerEmail' in workspace) return `${name} (of ${workspace.ownerEmail})`;
  return workspace.role === 'owner' ? name : `${name} (shared with you)`;
}
