import type { Account } from '../../../access/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  hasAccepted,
  type InvitationKey,
  type OpenInvitation,
  readInvitation,
} from '../../../workspaces/index.ts';
import { decisionRequired } from '../../faults.ts';
import { form, hidden, readField } from '../forms.ts';
import { type Html, html, type Page } from '../html.ts';
import { labelWorkspace } from '../label-workspace.ts';
import { type PageRoute, SeeOther, setNotice, withReturnTo } from '../visit.ts';
import { deadLinkPage, keepAddress } from './message-pages.ts';

const PATH = '/auth/invitation';

const deadInvitationLink = () => deadLinkPage({ href: '/auth/account', text: 'Go to your account' });

/**
 * The page of a mailed invitation, whose link contains the secret of the invitation. A person who has to sign in or
 * sign up first returns with the id of the invitation instead, because the return path is stored with the sign-up and
 * must not contain a secret. The verified address of the account is then sufficient proof. The form also contains only
 * the id, because only the account with that address sees it.
 */
export const invitationPage: PageRoute = {
  path: PATH,

  async get(visit) {
    const { parts, query, account } = visit;
    const reference = readReference(query);
    // An id alone reveals nothing before a sign-in.
    if ('id' in reference && account === null)
      return new SeeOther(withReturnTo('/auth/sign-in', invitationPath(reference.id)));
    const invitation = await readInvitation(parts.workspaces, account, reference);
    if (invitation === null) return deadInvitationLink();
    // The page shows the address, and the form of the sign-up begins with it.
    if (account === null) keepAddress(visit, invitation.email);
    return view(invitation, account);
  },

  async post(visit) {
    const { parts, account } = visit;
    const reference = readReference(visit.form);
    if (account === null) {
      // The session ended after the page was shown.
      const invitation = await readInvitation(parts.workspaces, null, reference);
      const id = 'id' in reference ? reference.id : invitation?.id;
      return id === undefined ? deadInvitationLink() : new SeeOther(withReturnTo('/auth/sign-in', invitationPath(id)));
    }
    const decision = readField(visit.form, 'decision');
    if (decision !== 'accept' && decision !== 'decline') throw decisionRequired();
    const isDeclined = decision === 'decline';
    const answer = isDeclined ? declineInvitation : acceptInvitation;
    const answered = await answer(parts.workspaces, account, reference);
    // If the button is clicked twice, the browser shows the response to the second click.
    const isRepeated =
      answered === null &&
      !isDeclined &&
      'id' in reference &&
      (await hasAccepted(parts.workspaces, account, reference.id));
    if (answered === null && !isRepeated) {
      // A valid invitation for another address has a different page than an invalid link.
      const invitation = await readInvitation(parts.workspaces, account, reference);
      return invitation ? view(invitation, account) : deadInvitationLink();
    }
    const isOwnership = answered?.isOwnership ?? ('id' in reference && isOwnershipId(reference.id));
    const notice = isDeclined ? 'invitation_declined' : isOwnership ? 'workspace_owned' : 'workspace_joined';
    // A member continues in the workspace. Of a repeated answer only the id of the invitation is known.
    const next = isDeclined || answered === null ? '/workspaces' : `/workspaces/${answered.workspaceId}`;
    setNotice(visit, notice, next);
    return new SeeOther(next);
  },
};

const ID = /^(?:col|inv)_[0-9A-Z]{26}$/;

/** The id of an invitation to become a member becomes that of the collaborator. */
function isOwnershipId(id: string): boolean {
  return id.startsWith('inv_');
}

function readReference(fields: unknown): InvitationKey {
  const id = readField(fields, 'invitation');
  return id !== undefined && ID.test(id) ? { id } : { secret: readField(fields, 'token') ?? '' };
}

/** Returns the path of the page with which the invited account answers an invitation. */
export function invitationPath(id: string): string {
  return `${PATH}?invitation=${encodeURIComponent(id)}`;
}

function view(invitation: OpenInvitation, account: Account | null): Page {
  const { workspaceName: name, senderEmail: by, role, isOwnership } = invitation;
  // Only the owner of a workspace invites and offers it.
  const workspace = labelWorkspace({ name, ownerEmail: by });
  const title = isOwnership ? 'Become the owner of a workspace' : 'Join a workspace';
  const offer = isOwnership
    ? html`<p><strong>${by}</strong> wants to make you the owner of the workspace <strong>${workspace}</strong>.</p>
<p>The owner pays: forecasts in the workspace use the credits and slots of its owner, whichever member creates them, and everything stored in it counts toward the owner’s storage. ${by} stays in the workspace as an editor. Until you accept, nothing changes.</p>`
    : html`<p><strong>${by}</strong> invited you to the workspace <strong>${workspace}</strong>, ${
        role === 'editor' ? 'as an editor' : 'as a viewer'
      }.</p>`;
  return {
    title,
    body: html`<div class="card stack">
<h1>${title}</h1>
${offer}
${nextStep(invitation, account)}
</div>`,
  };
}

function nextStep({ id, email, isOwnership }: OpenInvitation, account: Account | null): Html {
  const back = invitationPath(id);
  if (account === null) {
    return html`<p>The invitation is for <strong>${email}</strong>. Sign in with that address, or create an account with it. You will come back to this page.</p>
<p><a class="button whole" href="${withReturnTo('/auth/sign-in', back)}">Sign in</a></p>
<p><a class="button whole quiet" href="${withReturnTo('/auth/sign-up', back)}">Create an account</a></p>`;
  }
  if (account.email !== email) {
    return html`<p role="alert">The invitation is for <strong>${email}</strong>, but you are signed in as <strong>${account.email}</strong>.</p>
<p><a class="button whole" href="${withReturnTo('/auth/sign-out', back)}">Sign out and use the other account</a></p>
<p><a class="tap" href="/auth/account">Stay signed in</a></p>`;
  }
  if (!account.emailVerified) {
    return html`<p role="alert">Confirm first that <strong>${email}</strong> is your address: request the email on your account page and open its link. Then open this invitation again.</p>
<p><a class="button whole" href="/auth/account">Go to your account</a></p>`;
  }
  return html`<p class="soft">You are signed in as <strong>${account.email}</strong>.</p>
${form(
  PATH,
  html`${hidden('invitation', id)}<div class="pair">
<button class="quiet" name="decision" value="decline">Decline</button>
<button name="decision" value="accept">${isOwnership ? 'Become the owner' : 'Join'}</button>
</div>`,
)}
<p class="hint">If you do not know this person, decline or close this page. Nothing will happen.</p>`;
}
