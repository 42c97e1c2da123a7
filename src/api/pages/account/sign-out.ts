import { endSession } from '../../../identity/index.ts';
import { form, hidden, readField } from '../forms.ts';
import { html } from '../html.ts';
import { type PageRoute, readReturnTo, SeeOther, setNotice, withReturnTo } from '../visit.ts';

const PATH = '/auth/sign-out';

/** Opening the page does not sign the browser out, because an image on another site could have this URL. */
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
    const { cookies, parts, origin, form: fields } = visit;
    const returnTo = readReturnTo(readField(fields, 'return_to'));
    const secret = cookies.get('session');
    if (secret) await endSession(parts.identity, secret, origin);
    cookies.clear('session');
    setNotice(visit, 'signed_out');
    return new SeeOther(withReturnTo('/auth/sign-in', returnTo));
  },
};
