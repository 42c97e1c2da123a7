import { Fault } from '../../../../contract/index.ts';
import { decisionRequired } from '../../../faults.ts';
import { hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { describeScope, ROLES, renderDay } from './words.ts';
import { type Invitation, WORKSPACES_PATH } from './workspace-visit.ts';

const PATH = `${WORKSPACES_PATH}/invitations`;

/** Most accounts have none or one. A list of more is read in parts, as its invitations are answered. */
const MAX_SHOWN = 50;

/** Reads the open invitations to the visitor's address, newest first. */
export async function readInvitations({ visitor }: ConsoleVisit): Promise<readonly Invitation[]> {
  return (await visitor.call('listInvitations', { query: { limit: MAX_SHOWN } })).invitations;
}

/** Accepts or declines an invitation that a page of the console shows. */
export const answerPage: ConsoleRoute = {
  path: PATH,

  async post(visit) {
    const invitation_id = readField(visit.form, 'invitation') ?? '';
    const decision = readField(visit.form, 'decision');
    if (decision === 'decline') return decline(visit, invitation_id);
    if (decision !== 'accept') throw decisionRequired();
    const { visitor } = visit;
    const isOwnership = invitation_id.startsWith('inv_');
    try {
      const { workspace_id } = await visitor.call('acceptInvitation', { params: { invitation_id } });
      const { slug } = await visitor.call('readWorkspace', { params: { workspace_id } });
      const address = `${WORKSPACES_PATH}/${slug}`;
      setNotice(visit, isOwnership ? 'workspace_owned' : 'workspace_joined', address);
      return new SeeOther(address);
    } catch (error) {
      return answeredBefore(visit, error);
    }
  },
};

async function decline(visit: ConsoleVisit, invitation_id: string): Promise<SeeOther> {
  try {
    await visit.visitor.call('declineInvitation', { params: { invitation_id } });
    setNotice(visit, 'invitation_declined', WORKSPACES_PATH);
    return new SeeOther(WORKSPACES_PATH);
  } catch (error) {
    return answeredBefore(visit, error);
  }
}

/** An invitation that is gone was answered in another window, withdrawn, or has expired: the list shows what is left. */
function answeredBefore(visit: ConsoleVisit, error: unknown): SeeOther {
  if (!(error instanceof Fault) || error.code !== 'NOT_FOUND') throw error;
  setNotice(visit, 'invitation_gone', WORKSPACES_PATH);
  return new SeeOther(WORKSPACES_PATH);
}

/** Renders the invitations that the visitor has received, each with its answer. */
export function renderReceived(invitations: readonly Invitation[]): Html | null {
  if (invitations.length === 0) return null;
  return html`<section class="card stack received" aria-labelledby="received">
<h2 id="received">${invitations.length === 1 ? 'You have an invitation' : `You have ${invitations.length} invitations`}</h2>
<ul class="people">${invitations.map(
    (invitation) => html`
<li><div class="person"><h3>${labelInvitation(invitation)}</h3>
<p>${renderOffer(invitation)}</p>
<p class="hint">It can be answered until ${renderDay(invitation.expires_at)}.</p></div>
${renderAnswer(invitation)}</li>`,
  )}
</ul>
</section>`;
}

/** Only the owner of a workspace invites, so the sender is the owner. */
function labelInvitation({ workspace_name: name, invited_by: ownerEmail }: Invitation): string {
  return labelWorkspace({ name, ownerEmail });
}

/** Renders what an invitation offers, and what accepting means. */
export function renderOffer({ kind, invited_by, role, resource_scope }: Invitation): Html {
  if (kind === 'ownership') {
    return html`<strong>${invited_by}</strong> wants to make you the owner. The owner pays: forecasts in the workspace use
your credits and slots, whichever member makes them, and what is stored in it counts toward your storage. ${invited_by} stays as
an editor. Nothing changes until you accept.`;
  }
  return html`<strong>${invited_by}</strong> invites you as <strong>${role === 'editor' ? 'an editor' : 'a viewer'}</strong>: this
role ${ROLES[role].may}. You get access to: ${describeScope(resource_scope).toLowerCase()}. Nothing is shared until you accept.`;
}

/** Renders the two answers to an invitation. */
export function renderAnswer({ invitation_id, kind, workspace_name }: Invitation): Html {
  const about = html`<span class="away"> ${workspace_name}</span>`;
  return html`<form method="post" action="${PATH}" class="actions">${hidden('invitation', invitation_id)}
<button name="decision" value="accept">${kind === 'ownership' ? html`Become the owner<span class="away"> of</span>` : 'Join'}${about}</button>
<button class="quiet" name="decision" value="decline">Decline${about}</button></form>`;
}
