import { createHash } from 'node:crypto';
import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { routeNotFound } from '../../../edge/faults.ts';
import { type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { type Crumb, renderFormPage } from '../form-page.ts';
import type { Refusal } from '../refusals.ts';
import type { ConsoleVisit } from '../visit.ts';

export type Workspace = Output<Operations['readWorkspace']>;
export type Collaborator = Output<Operations['listCollaborators']>['collaborators'][number];
export type Invitation = Output<Operations['listInvitations']>['invitations'][number];
export type Transfer = Output<Operations['readTransfer']>;
export type Scope = Workspace['resource_scope'];

export const WORKSPACES_PATH = '/workspaces';

/** Returns the path parameter by which the address of a page names a workspace: its slug or its id. */
export function nameOf({ params }: ConsoleVisit): { readonly workspace_id: string } {
  // The router also matches addresses such as /workspaces//invite.
  if (!params.slug) throw routeNotFound();
  return { workspace_id: params.slug };
}

/** Reads the workspace of a page, with the visitor's membership. Throws a fault if there is none. */
export function readWorkspace(visit: ConsoleVisit): Promise<Workspace> {
  return visit.visitor.call('readWorkspace', { params: nameOf(visit) });
}

/** Returns the address of the page of a workspace, or of a page below it. */
export function workspacePath({ slug }: Pick<Workspace, 'slug'>, ...below: readonly string[]): string {
  return [WORKSPACES_PATH, slug, ...below].map((part, i) => (i === 0 ? part : encodeURIComponent(part))).join('/');
}

/** Returns the open transfer of a workspace that the visitor owns; null if there is none. */
export async function findTransfer(visit: ConsoleVisit, workspace: Workspace): Promise<Transfer | null> {
  if (workspace.role !== 'owner' || workspace.legacy_personal) return null;
  try {
    return await visit.visitor.call('readTransfer', { params: { workspace_id: workspace.id } });
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Reads all members and open invitations of a workspace. */
export async function readCollaborators(visit: ConsoleVisit, workspace: Workspace): Promise<readonly Collaborator[]> {
  const { collaborators } = await visit.visitor.call('listCollaborators', { params: { workspace_id: workspace.id } });
  return collaborators;
}

/** Returns the collaborator that the address of a page names. Throws a fault if it is not one of these. */
export function findCollaborator({ params }: ConsoleVisit, collaborators: readonly Collaborator[]): Collaborator {
  const found = collaborators.find(({ collaborator_id }) => collaborator_id === params.collaborator);
  if (found === undefined) throw routeNotFound();
  return found;
}

/** Returns whether a collaborator is the visitor itself. */
export function isVisitor({ visitor }: ConsoleVisit, { user }: Collaborator): boolean {
  const { principal } = visitor;
  return principal.kind === 'account' && user?.id === principal.accountId;
}

interface WorkspaceForm {
  readonly heading: string;
  readonly workspace: Workspace;
  readonly body: Html;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** Renders the page of one form, below the path to its workspace. */
export function renderWorkspaceForm({ heading, workspace, body, refusal, errors }: WorkspaceForm): ConsolePage {
  return {
    ...renderFormPage({
      heading,
      title: `${heading}: ${workspace.name}`,
      section: 'workspaces',
      crumbs: crumbsTo(workspace),
      body,
      refusal,
      errors,
    }),
    script: 'workspaces',
  };
}

export function crumbsTo(workspace: Workspace): readonly Crumb[] {
  return [
    { href: WORKSPACES_PATH, label: 'Workspaces' },
    { href: workspacePath(workspace), label: workspace.name },
  ];
}

/** Renders the page of a form that the visitor's role does not allow: why, and the way back. */
export function renderDenied(workspace: Workspace, heading: string, text: string | Html, status = 403): ConsolePage {
  return {
    ...renderWorkspaceForm({
      heading,
      workspace,
      body: html`<p>${text}</p>
<p class="actions">${renderBack(workspace)}</p>`,
    }),
    status,
    failed: true,
  };
}

export function renderBack(workspace: Workspace, label = 'Back to the workspace'): Html {
  return html`<a class="button quiet" href="${workspacePath(workspace)}">${label}</a>`;
}

/** Renders what a form showed, so that a form that was open while it changed does nothing. */
export function renderSeen(shown: unknown): Html | null {
  return hidden('seen', digest(shown));
}

/** Returns whether a submitted form showed the present state. */
export function hasSeen({ form }: ConsoleVisit, shown: unknown): boolean {
  return readField(form, 'seen') === digest(shown);
}

function digest(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/** The refusal of a form that showed an earlier state. */
export const CHANGED: Refusal = {
  status: 412,
  message: 'This changed while the form was open. Nothing was done. The page shows how it is now; decide again.',
};
