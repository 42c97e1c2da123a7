import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { NO_MAIL_SERVER } from '../../no-mail-server.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCheck, renderError } from '../fields.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { ROLES, renderDay } from './words.ts';
import {
  findTransfer,
  readCollaborators,
  readWorkspace,
  renderBack,
  renderDenied,
  renderWorkspaceForm,
  type Transfer,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

const HEADING = 'Transfer this workspace';

/** Offers a workspace to a member, which becomes its owner by accepting, or withdraws the offer. */
export const transferPage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/transfer`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    return refuseTransfer(workspace) ?? showTransfer(visit, workspace);
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    const refused = refuseTransfer(workspace);
    if (refused !== null) return refused;
    if (readField(visit.form, 'action') === 'withdraw') return withdraw(visit, workspace);
    const chosen = readField(visit.form, 'collaborator_id');
    if (chosen === undefined) {
      return showTransfer(visit, workspace, {
        errors: { collaborator_id: 'Choose the member that is to become the owner.' },
      });
    }
    // A second press of the button would replace the offer by one that is the same, with another email.
    const open = await findTransfer(visit, workspace);
    if (open?.collaborator_id !== chosen) {
      const offered = await attempt(() =>
        visit.visitor.call('transferWorkspace', {
          params: { workspace_id: workspace.id },
          body: { collaborator_id: chosen },
        }),
      );
      if (offered instanceof Fault) {
        const isGone = offered.code === 'NOT_FOUND';
        const refusal = isGone
          ? { status: 404, message: 'This member has left. Choose another one.' }
          : toRefusal(offered);
        return showTransfer(visit, workspace, { refusal });
      }
    }
    setNotice(visit, visit.hasMailServer ? 'transfer_offered' : 'transfer_logged', workspacePath(workspace));
    return new SeeOther(workspacePath(workspace));
  },
};

async function withdraw(visit: ConsoleVisit, workspace: Workspace): Promise<SeeOther> {
  const withdrawn = await attempt(() =>
    visit.visitor.call('withdrawTransfer', { params: { workspace_id: workspace.id } }),
  );
  const isGone = withdrawn instanceof Fault && withdrawn.code === 'NOT_FOUND';
  if (withdrawn instanceof Fault && !isGone) throw withdrawn;
  setNotice(visit, isGone ? 'gone_already' : 'transfer_withdrawn', workspacePath(workspace));
  return new SeeOther(workspacePath(workspace));
}

function refuseTransfer(workspace: Workspace): ConsolePage | null {
  const heading = 'You cannot transfer this workspace';
  if (workspace.role !== 'owner') {
    return renderDenied(workspace, heading, 'Only the owner of this workspace can transfer it.');
  }
  if (!workspace.legacy_personal) return null;
  return renderDenied(
    workspace,
    heading,
    'This is your personal workspace, which stays with your account. Create another workspace and transfer that one.',
    409,
  );
}

interface Attempt {
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

async function showTransfer(
  visit: ConsoleVisit,
  workspace: Workspace,
  { errors = {}, refusal }: Attempt = {},
): Promise<ConsolePage> {
  const open = await findTransfer(visit, workspace);
  const members = (await readCollaborators(visit, workspace)).filter(
    ({ kind, role }) => kind === 'member' && role !== 'owner',
  );
  const action = workspacePath(workspace, 'transfer');
  const body =
    open !== null
      ? renderOpen(workspace, open)
      : members.length === 0
        ? html`${renderEmpty({ title: 'There is no other member', text: 'Invite the person that is to own this workspace. After the invitation is accepted, you can transfer it.', steps: [{ href: workspacePath(workspace, 'invite'), label: 'Invite a colleague' }] })}`
        : html`<p>${visit.hasMailServer ? 'The member gets an email.' : NO_MAIL_SERVER} The member ${renderTerm('transfer', 'becomes the owner by accepting')}, here or from the email. Until then nothing changes.</p>
<ul class="ticks"><li>The new owner pays from then on: with credits, slots and storage of its own plan. Forecasts from before stay paid by you.</li>
<li>You stay as an editor with access to everything, and can leave afterwards.</li></ul>
<form method="post" action="${action}" class="stack"><fieldset id="collaborator_id"><legend>New owner</legend>
<div class="choices">${members.map(({ collaborator_id: value, email, role }) =>
            renderCheck({
              name: 'collaborator_id',
              type: 'radio',
              value,
              label: email,
              hint: ROLES[role].name,
              checked: members.length === 1,
            }),
          )}</div>${renderError('collaborator_id', errors)}</fieldset>
<p class="actions"><button>Offer the workspace</button>${renderBack(workspace, 'Keep it')}</p></form>`;
  return renderWorkspaceForm({ heading: HEADING, workspace, refusal, errors, body });
}

function renderOpen(workspace: Workspace, { email, created_at, expires_at }: Transfer) {
  return html`<p>You offered <strong>${workspace.name}</strong> to <strong>${email}</strong> on ${renderDay(created_at)}. The offer waits for an
answer until ${renderDay(expires_at)}. To offer it to another member, withdraw it first.</p>
<form method="post" action="${workspacePath(workspace, 'transfer')}" class="actions">
<button class="danger" name="action" value="withdraw">Withdraw the offer</button>${renderBack(workspace)}</form>`;
}
