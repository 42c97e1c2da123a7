import { endSession } from '../../../identity/index.ts';
import { typed } from './http/check-form.ts';
import { leaveNotice } from './http/notices.ts';
import { readReturnTo, withReturnTo } from './http/return-to.ts';
import { type PageRoute, SeeOther } from './http/visit.ts';
import { form, hidden } from './markup/form.ts';
import { html } from './markup/html.ts';

const PATH = '/auth/sign-out';

/** Opening the page signs nobody out: a picture in somebody's mail could open it. */
export const signOutPage: PageRoute = {
  path: PATH,

  async get({ account, query }) {
    const returnTo = readReturnTo(query.return_to);
    if (!account) return new SeeOther(withReturnTo('/auth/sign-in', returnTo));
    return {
      title: 'Sign out',
      body: html`<div class="card stack">
<h1>Sign out?</h1>
<p class="soft">You are signed in as <strong>${account.email}</strong>.</p>
${form(PATH, html`${hidden('return_to', returnTo)}<button class="whole">Sign out</button>`)}
<p><a class="tap" href="${returnTo ?? '/auth/account'}">Stay signed in</a></p>
</div>`,
    };
  },

  async post(visit) {
    const { cookies, parts, origin, form: sent } = visit;
    const returnTo = readReturnTo(typed(sent, 'return_to'));
    const secret = cookies.get('session');
    if (secret) await endSession(parts.identity, secret, origin);
    cookies.clear('session');
    leaveNotice(visit, 'signed_out');
    return new SeeOther(withReturnTo('/auth/sign-in', returnTo));
  },
};
