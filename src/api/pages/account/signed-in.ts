import { handOff } from './http/hand-off.ts';
import { readReturnTo } from './http/return-to.ts';
import { type PageRoute, SeeOther } from './http/visit.ts';
import { html } from './markup/html.ts';

/**
 * Where every sign-in passes by. A browser that refuses the cookie would otherwise meet the sign-in form again and
 * again without a word: some refuse cookies altogether, and some refuse secure ones on plain HTTP, even on loopback.
 */
export const signedInPage: PageRoute = {
  path: '/auth/signed-in',

  async get(visit) {
    const { account, query, parts, request } = visit;
    const returnTo = readReturnTo(query.return_to) ?? '/auth/account';
    if (account) return returnTo.startsWith('/auth/interaction/') ? handOff(visit, returnTo) : new SeeOther(returnTo);
    const site = new URL(parts.siteUrl());
    const plain = request.protocol === 'http';
    return {
      title: 'Your browser did not keep you signed in',
      status: 403,
      failed: true,
      body: html`<div class="card stack">
<h1>Your browser did not keep you signed in</h1>
<p role="alert">The password was right, but the cookie that says so did not come back.</p>
<ul class="ticks">
<li>Allow cookies for this site, then sign in again.</li>
${
  plain &&
  html`<li>Over plain HTTP some browsers refuse secure cookies. Open
<a href="http://localhost${site.port && `:${site.port}`}/auth/sign-in">the same page at localhost</a>, or use Chrome or Edge.</li>`
}
</ul>
<p><a class="button whole" href="/auth/sign-in">Sign in again</a></p>
</div>`,
    };
  },
};
