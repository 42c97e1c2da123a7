import { readLink, redeemVerification } from '../../../identity/index.ts';
import { typed } from './http/check-form.ts';
import { leaveNotice } from './http/notices.ts';
import { type PageRoute, SeeOther } from './http/visit.ts';
import { form, hidden } from './markup/form.ts';
import { html } from './markup/html.ts';
import { deadLink } from './messages.ts';

const PATH = '/auth/verify';

const dead = () => deadLink({ href: '/auth/account', text: 'Go to your account for another' });

export const verifyPage: PageRoute = {
  path: PATH,

  async get({ parts, query }) {
    const token = typed(query, 'token') ?? '';
    const link = await readLink(parts.identity, token);
    if (link?.kind !== 'verify_email') return dead();
    return {
      title: 'Confirm your address',
      body: html`<div class="card stack">
<h1>Confirm your address</h1>
<p>This confirms that <strong>${link.email}</strong> is yours.</p>
${form(PATH, html`${hidden('token', token)}<button class="whole">Confirm</button>`)}
</div>`,
    };
  },

  async post(visit) {
    const token = typed(visit.form, 'token') ?? '';
    const confirmed = await redeemVerification(visit.parts.identity, token, visit.origin);
    if (!confirmed) return dead();
    leaveNotice(visit, 'address_confirmed');
    return new SeeOther(visit.account ? '/auth/account' : '/auth/sign-in');
  },
};
