import type { Account } from '../../../../access/index.ts';
import type { Interaction } from '../../../../identity/index.ts';
import { withReturnTo } from '../http/return-to.ts';
import type { Page } from '../markup/document.ts';
import { type Html, html } from '../markup/html.ts';

/** What every application may do that is let in, whatever it asks for: all that a person may by API. */
const ALWAYS = [
  'use the Almanac API as you: see, change and delete your forecasts, files and workspaces, and say who else may use them',
  'make API keys for your account, which end with its access, and revoke any of your keys',
  'see where you are signed in and your account’s security events, and sign your browsers out',
];

/** What each scope adds to it, as the person would say it. */
const SCOPE_WORDS: Readonly<Record<string, string>> = {
  openid: 'know which account is yours',
  profile: 'see your name',
  email: 'see your e-mail address',
  offline_access: 'stay connected while you are away, until you revoke it',
};

/** Asks whether an application may act for the account. */
export function consentView({ uid, client, scopes, redirectUri }: Interaction, account: Account): Page {
  const action = `/auth/interaction/${uid}`;
  const wishes = [...ALWAYS, ...wordsOf(scopes)];
  return {
    title: `Allow ${client.name}?`,
    formsMayLeave: true,
    body: html`<div class="card stack">
<h1>Allow ${client.name} to use your account?</h1>
<dl>
<div><dt>Your account</dt><dd><strong>${account.email}</strong></dd></div>
${client.uri !== null && html`<div><dt>The application’s address</dt><dd>${addressOf(client.uri)}</dd></div>`}
<div><dt>You will be sent to</dt><dd>${placeOf(redirectUri)}</dd></div>
</dl>
<div><h2>It will be able to</h2>
<ul class="ticks tight">${wishes.map((wish) => html`<li>${wish}</li>`)}</ul></div>
<form method="post" action="${action}" class="pair">
<button class="quiet" name="decision" value="deny">Deny</button>
<button name="decision" value="allow">Allow</button>
</form>
<p class="hint">You can take it back at any time on your account page. It never sees your password.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-out', action)}">Use another account</a></p>
</div>`,
  };
}

function wordsOf(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => (Object.hasOwn(SCOPE_WORDS, scope) ? (SCOPE_WORDS[scope] ?? []) : []));
}

/** A link only where it can be one: an address is what the application says of itself. */
function addressOf(uri: string): Html {
  return /^https?:\/\//i.test(uri)
    ? html`<a class="tap" href="${uri}" rel="noopener noreferrer">${uri}</a>`
    : html`${uri}`;
}

/** The site or the program that gets the answer, which is what a careful person looks at. */
function placeOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? host : `a program on this device (${protocol})`;
}
