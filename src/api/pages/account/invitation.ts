import type { Account } from '../../../access/index.ts';
import {
  hasJoined,
  type InvitationKey,
  type OpenInvitation,
  readInvitation,
  redeemInvitation,
} from '../../../workspaces/index.ts';
import { form, hidden, readField } from '../forms.ts';
import { type Html, html, type Page } from '../html.ts';
import { type PageRoute, SeeOther, setNotice, withReturnTo } from '../visit.ts';
import { deadLinkPage } from './message-pages.ts';

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

  async get({ parts, query, account }) {
    const reference = readReference(query);
    // An id alone reveals nothing before a sign-in.
    if ('id' in reference && account === null)
      return new SeeOther(withReturnTo('/auth/sign-in', returnPath(reference)));
    const invitation = await readInvitation(parts.workspaces, account, reference);
    return invitation ? view(invitation, account) : deadInvitationLink();
  },

  async post(visit) {
    const { parts, account } = visit;
    const reference = readReference(visit.form);
    if (account === null) {
      // The session ended after the page was shown.
      const invitation = await readInvitation(parts.workspaces, null, reference);
      const id = 'id' in reference ? reference.id : invitation?.id;
      return id === undefined ? deadInvitationLink() : new SeeOther(withReturnTo('/auth/sign-in', returnPath({ id })));
    }
    const joined = await redeemInvitation(parts.workspaces, account, reference);
    // If the button is clicked twice, the browser shows the response to the second click.
    if (joined === null && !('id' in reference && (await hasJoined(parts.workspaces, account, reference.id)))) {
      // A valid invitation for another address has a different page than an invalid link.
      const invitation = await readInvitation(parts.workspaces, account, reference);
      return invitation ? view(invitation, account) : deadInvitationLink();
    }
    setNotice(visit, 'workspace_joined');
    return new SeeOther('/auth/account');
  },
};

const ID = /^col_[0-9A-Z]{26}$/;

function readReference(fields: unknown): InvitationKey {
  const id = readField(fields, 'invitation');
  return id !== undefined && ID.test(id) ? { id } : { secret: readField(fields, 'token') ?? '' };
}

function returnPath({ id }: { readonly id: string }): string {
  return `${PATH}?invitation=${encodeURIComponent(id)}`;
}

function view(invitation: OpenInvitation, account: Account | null): Page {
  const { workspaceName: workspace, senderEmail: by, role } = invitation;
  return {
    title: 'Join a workspace',
    body: html`<div class="card stack">
<h1>Join a workspace</h1>
<p><strong>${by}</strong> invited you to the workspace <strong>${workspace}</strong>, ${
      role === 'editor' ? 'as an editor' : 'as a viewer'
    }.</p>
${nextStep(invitation, account)}
</div>`,
  };
}

function nextStep({ id, email }: OpenInvitation, account: Account | null): Html {
  const back = returnPath({ id });
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
${form(PATH, html`${hidden('invitation', id)}<button class="whole">Join</button>`)}
<p class="hint">If you do not know this person, close this page. Nothing will happen.</p>`;
}
