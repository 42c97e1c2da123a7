import { readLink, redeemVerification } from '../../../identity/index.ts';
import { form, hidden, readField } from '../forms.ts';
import { html } from '../html.ts';
import { type PageRoute, SeeOther, setNotice } from '../visit.ts';
import { deadLinkPage } from './message-pages.ts';

const PATH = '/auth/verify';

const deadVerificationLink = () =>
  deadLinkPage({ href: '/auth/account', text: 'Go to your account to get another link' });

export const verifyPage: PageRoute = {
  path: PATH,

  async get({ parts, query }) {
    const token = readField(query, 'token') ?? '';
    const link = await readLink(parts.identity, token);
    if (link?.kind !== 'verify_email') return deadVerificationLink();
    return {
      title: 'Confirm your address',
      body: html`<div class="card stack">
<h1>Confirm your address</h1>
<p>Confirm that <strong>${link.email}</strong> is your address.</p>
${form(PATH, html`${hidden('token', token)}<button class="whole">Confirm</button>`)}
</div>`,
    };
  },

  async post(visit) {
    const token = readField(visit.form, 'token') ?? '';
    const confirmed = await redeemVerification(visit.parts.identity, token, visit.origin);
    if (!confirmed) return deadVerificationLink();
    setNotice(visit, 'address_confirmed');
    return new SeeOther(visit.account ? '/auth/account' : '/auth/sign-in');
  },
};
