import { html } from '../../html.ts';
import { SeeOther } from '../../visit.ts';
import type { ConsoleRoute } from '../visit.ts';

export const FAREWELL = '/auth/farewell';

/** The page after an account was erased. It has nothing of the account. */
export const farewellPage: ConsoleRoute = {
  path: FAREWELL,

  async get({ visitor }) {
    // The page of another account in this browser would be wrong.
    if (visitor.principal.kind === 'account') return new SeeOther('/auth/account');
    return {
      title: 'The account is erased',
      section: 'account',
      body: html`<div class="card stack action-page">
<h1>The account is erased</h1>
<p>Everything that it owned is gone, and this browser is signed out. The address can be used for a new account.</p>
<ul class="ticks">
<li>If you chose public forecasts that stay, they are at the same addresses, without an owner.</li>
<li>If you shared anything in workspaces of others, it stays there and belongs to their owners.</li>
<li>Backups of the service keep the data until they expire.</li>
</ul>
<p>Thank you for having been here.</p>
<p class="actions"><a class="button" href="/">Go to the start page</a></p>
</div>`,
    };
  },
};
