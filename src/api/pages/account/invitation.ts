import type { Account } from '../../../access/index.ts';
import {
  hasJoined,
  type InvitationName,
  type OpenInvitation,
  readInvitation,
  redeemInvitation,
} from '../../../workspaces/index.ts';
import { typed } from './http/check-form.ts';
import { leaveNotice } from './http/notices.ts';
import { withReturnTo } from './http/return-to.ts';
import { type PageRoute, SeeOther } from './http/visit.ts';
import type { Page } from './markup/document.ts';
import { form, hidden } from './markup/form.ts';
import { type Html, html } from './markup/html.ts';
import { deadLink } from './messages.ts';

const PATH = '/auth/invitation';

const dead = () => deadLink({ href: '/auth/account', text: 'Go to your account' });

/**
 * The link of the mail names an invitation by its secret. Who has to sign in or sign up first comes back by its id: the
 * way back is kept beside the sign-up, where no secret must be, and by then the account's own address is proof enough.
 * So it is for the button, which only the account with that address is shown.
 */
export const invitationPage: PageRoute = {
  path: PATH,

  async get({ parts, query, account }) {
    const name = nameIn(query);
    // By an id alone nobody is told anything before it is known who asks.
    if ('id' in name && account === null) return new SeeOther(withReturnTo('/auth/sign-in', wayBack(name)));
    const invitation = await readInvitation(parts.workspaces, account, name);
    return invitation ? view(invitation, account) : dead();
  },

  async post(visit) {
    const { parts, account } = visit;
    const name = nameIn(visit.form);
    if (account === null) {
      // The session has ended since the page was shown.
      const invitation = await readInvitation(parts.workspaces, null, name);
      const id = 'id' in name ? name.id : invitation?.id;
      return id === undefined ? dead() : new SeeOther(withReturnTo('/auth/sign-in', wayBack({ id })));
    }
    const joined = await redeemInvitation(parts.workspaces, account, name);
    // A button is pressed twice easily, and the answer to the second time is the one that is shown.
    if (joined === null && !('id' in name && (await hasJoined(parts.workspaces, account, name.id)))) {
      // Somebody else's link, that is still good, is told apart from one that is not.
      const invitation = await readInvitation(parts.workspaces, account, name);
      return invitation ? view(invitation, account) : dead();
    }
    leaveNotice(visit, 'workspace_joined');
    return new SeeOther('/auth/account');
  },
};

const ID = /^col_[0-9A-Z]{26}$/;

function nameIn(fields: unknown): InvitationName {
  const id = typed(fields, 'invitation');
  return id !== undefined && ID.test(id) ? { id } : { secret: typed(fields, 'token') ?? '' };
}

function wayBack({ id }: { readonly id: string }): string {
  return `${PATH}?invitation=${encodeURIComponent(id)}`;
}

function view(invitation: OpenInvitation, account: Account | null): Page {
  const { workspace, by, role } = invitation;
  return {
    title: 'Join a workspace',
    body: html`<div class="card stack">
<h1>Join a workspace</h1>
<p><strong>${by}</strong> invites you to the workspace <strong>${workspace}</strong>, ${
      role === 'editor' ? 'as an editor' : 'as a viewer'
    }.</p>
${nextStep(invitation, account)}
</div>`,
  };
}

function nextStep({ id, email }: OpenInvitation, account: Account | null): Html {
  const back = wayBack({ id });
  if (account === null) {
    return html`<p>The invitation is for <strong>${email}</strong>. Sign in with that address, or make an account with it; you come back here.</p>
<p><a class="button whole" href="${withReturnTo('/auth/sign-in', back)}">Sign in</a></p>
<p><a class="button whole quiet" href="${withReturnTo('/auth/sign-up', back)}">Create an account</a></p>`;
  }
  if (account.email !== email) {
    return html`<p role="alert">The invitation is for <strong>${email}</strong>, and you are signed in as <strong>${account.email}</strong>.</p>
<p><a class="button whole" href="${withReturnTo('/auth/sign-out', back)}">Sign out and use the other account</a></p>
<p><a class="tap" href="/auth/account">Stay signed in</a></p>`;
  }
  if (!account.emailVerified) {
    return html`<p role="alert">Confirm that <strong>${email}</strong> is yours first: your account page sends you a mail for that. Then open this link again.</p>
<p><a class="button whole" href="/auth/account">Go to your account</a></p>`;
  }
  return html`<p class="soft">You are signed in as <strong>${account.email}</strong>.</p>
${form(PATH, html`${hidden('invitation', id)}<button class="whole">Join</button>`)}
<p class="hint">If you do not know who this is, close this page, and nothing happens.</p>`;
}
