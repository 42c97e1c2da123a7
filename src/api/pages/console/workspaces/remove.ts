import { Fault } from '../../../../contract/index.ts';
import { type Html, html } from '../../html.ts';
import { type Notice, SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  type Collaborator,
  findCollaborator,
  isVisitor,
  readCollaborators,
  readWorkspace,
  renderBack,
  renderDenied,
  renderWorkspaceForm,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

/** Removes a member or withdraws an invitation, after a confirmation. */
export const removePage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/members/:collaborator/remove`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    const member = findCollaborator(visit, await readCollaborators(visit, workspace));
    return refuseRemoval(workspace, member) ?? showRemoval(workspace, member);
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    const members = await readCollaborators(visit, workspace);
    const isGone = !members.some(({ collaborator_id }) => collaborator_id === visit.params.collaborator);
    // The member left, or the button was pressed twice: what the visitor wants is the case already.
    if (isGone && workspace.permissions.includes('members.manage')) return leadBack(visit, workspace, 'gone_already');
    const member = findCollaborator(visit, members);
    const refused = refuseRemoval(workspace, member);
    if (refused !== null) return refused;
    const refusal = await remove(visit, workspace, member);
    if (refusal !== null) return showRemoval(workspace, member, refusal);
    return leadBack(visit, workspace, member.kind === 'member' ? 'member_removed' : 'invitation_withdrawn');
  },
};

/** Ends the visitor's own membership, after a confirmation. */
export const leavePage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/leave`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    return workspace.role === 'owner' ? refuseOwner(workspace) : showLeaving(workspace);
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    if (workspace.role === 'owner') return refuseOwner(workspace);
    const own = (await readCollaborators(visit, workspace)).find((one) => isVisitor(visit, one));
    const refusal = own === undefined ? null : await remove(visit, workspace, own);
    if (refusal !== null) return showLeaving(workspace, refusal);
    setNotice(visit, 'workspace_left', WORKSPACES_PATH);
    return new SeeOther(WORKSPACES_PATH);
  },
};

/** Removes a collaborator. Returns why it was refused; null if it is removed, also if it was before. */
async function remove(
  { visitor }: ConsoleVisit,
  { id }: Workspace,
  { collaborator_id }: Collaborator,
): Promise<Refusal | null> {
  try {
    await visitor.call('removeCollaborator', { params: { workspace_id: id, collaborator_id } });
    return null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
    return toRefusal(error);
  }
}

function leadBack(visit: ConsoleVisit, workspace: Workspace, notice: Notice): SeeOther {
  setNotice(visit, notice, workspacePath(workspace));
  return new SeeOther(workspacePath(workspace));
}

function refuseRemoval(workspace: Workspace, { role }: Collaborator): ConsolePage | null {
  if (!workspace.permissions.includes('members.manage')) {
    return renderDenied(workspace, 'You cannot remove members', 'Only the owner of this workspace can remove members.');
  }
  return role === 'owner' ? refuseOwner(workspace) : null;
}

function refuseOwner(workspace: Workspace): ConsolePage {
  return renderDenied(
    workspace,
    'The owner cannot leave',
    workspace.legacy_personal
      ? 'This is your personal workspace. It exists as long as your account.'
      : html`A workspace always has an owner. <a href="${workspacePath(workspace, 'transfer')}">Transfer it to another member</a> first, or <a href="${workspacePath(workspace, 'delete')}">delete it</a>.`,
    409,
  );
}

function showRemoval(
  workspace: Workspace,
  { kind, email, collaborator_id: id }: Collaborator,
  refusal?: Refusal,
): ConsolePage {
  const isMember = kind === 'member';
  return renderWorkspaceForm({
    heading: isMember ? 'Remove this member?' : 'Withdraw this invitation?',
    workspace,
    refusal,
    body: html`<p><strong>${email}</strong> ${isMember ? 'loses access to this workspace from the next request on.' : 'can no longer accept the invitation.'}</p>
${isMember ? renderConsequences('Its', 'it') : html`<p>The link in the email stops working. You can invite the address again.</p>`}
<form method="post" action="${workspacePath(workspace, 'members', id, 'remove')}" class="actions">
<button class="danger">${isMember ? 'Remove the member' : 'Withdraw the invitation'}</button>
${renderBack(workspace, isMember ? 'Keep the member' : 'Keep it')}</form>`,
  });
}

function showLeaving(workspace: Workspace, refusal?: Refusal): ConsolePage {
  return renderWorkspaceForm({
    heading: 'Leave this workspace?',
    workspace,
    refusal,
    body: html`<p>You lose access to everything in <strong>${workspace.name}</strong> from the next request on. To come back, you need
another invitation from its owner.</p>
${renderConsequences('Your', 'you')}
<form method="post" action="${workspacePath(workspace, 'leave')}" class="actions">
<button class="danger">Leave the workspace</button>${renderBack(workspace, 'Stay')}</form>`,
  });
}

/** Renders what the end of a membership leaves behind. */
function renderConsequences(whose: 'Its' | 'Your', whom: 'it' | 'you'): Html {
  return html`<ul class="ticks"><li>${whose} files, forecasts and questions stay in the workspace, and forecasts that run continue.</li>
<li>Private forecasts that ${whom === 'you' ? 'you' : 'the member'} made here stay as well, but no member can read them.</li>
<li>${whose} account, API keys and other workspaces do not change.</li></ul>`;
}
