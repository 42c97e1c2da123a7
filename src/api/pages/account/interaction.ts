import type { Account } from '../../../access/index.ts';
import type { InteractionDetails } from '../../../identity/index.ts';
import { readField } from '../forms.ts';
import { type Html, html, type Page } from '../html.ts';
import { continueToApplication, type PageRoute, SeeOther, takeNotice, type Visit, withReturnTo } from '../visit.ts';
import { expiredRequestPage } from './message-pages.ts';
import { type SignInView, signInView, trySignIn } from './sign-in.ts';

/** The page to which the OAuth provider sends a browser for a sign-in or for consent. */
export const interactionPage: PageRoute = {
  path: '/auth/interaction/:uid',

  async get(visit) {
    const interaction = await findInteraction(visit);
    if (!interaction) return expiredRequestPage();
    const { account } = visit;
    if (account && isConsentOf(interaction, visit)) return consentView(interaction, account);
    // The browser already has a session of this service, so the provider needs no password.
    if (account && !interaction.passwordRequired) {
      const { parts, request, reply } = visit;
      return new SeeOther(toLocalPath(await parts.oauth.completeLogin(request.raw, reply.raw, account.accountId)));
    }
    return signInForm(interaction, { notice: takeNotice(visit), email: interaction.loginHint ?? account?.email });
  },

  async post(visit) {
    const interaction = await findInteraction(visit);
    if (!interaction) return expiredRequestPage();
    const { parts, request, reply, origin } = visit;
    switch (readField(visit.form, 'decision')) {
      case 'deny': {
        const address = await parts.oauth.denyConsent(request.raw, reply.raw);
        return isConsentOf(interaction, visit)
          ? new SeeOther(toLocalPath(address))
          : continueFromForm(visit, interaction, address);
      }
      case 'allow':
        // Another account was signed in in another tab, so the page that was shown no longer applies.
        if (!isConsentOf(interaction, visit)) return new SeeOther(`/auth/interaction/${interaction.uid}`);
        return new SeeOther(toLocalPath(await parts.oauth.grantConsent(request.raw, reply.raw, origin)));
      default:
        return signInForApplication(visit, interaction);
    }
  },
};

/** Returns whether the interaction requests the consent of the account that is signed in with this browser. */
function isConsentOf({ prompt, accountId }: InteractionDetails, { account }: Visit): boolean {
  return prompt === 'consent' && account?.accountId === accountId;
}

/** Returns the interaction in the URL, or null if it has ended or does not belong to this browser. */
async function findInteraction({ parts, request, reply }: Visit): Promise<InteractionDetails | null> {
  const { uid } = request.params as { uid: string };
  const interaction = await parts.oauth.readInteraction(request.raw, reply.raw);
  return interaction?.uid === uid ? interaction : null;
}

async function signInForApplication(visit: Visit, interaction: InteractionDetails): Promise<Page | SeeOther> {
  const result = await trySignIn(visit);
  if (!result.ok) return signInForm(interaction, { ...result, email: readField(visit.form, 'email') });
  const { parts, request, reply } = visit;
  return continueFromForm(
    visit,
    interaction,
    await parts.oauth.completeLogin(request.raw, reply.raw, result.accountId),
  );
}

function signInForm({ uid, client }: InteractionDetails, shown: Partial<SignInView>): Page {
  const here = `/auth/interaction/${uid}`;
  const name = client.host === null ? client.name : `${client.name} (${client.host})`;
  return signInView({ action: here, returnTo: here, client: name, ...shown });
}

/** Continues after the sign-in form, whose policy restricts redirects. */
function continueFromForm(visit: Visit, { redirectUri }: InteractionDetails, address: string): Page | SeeOther {
  return continueToApplication(visit, toLocalPath(address), { needsClick: !/^https?:/i.test(redirectUri) });
}

/**
 * Returns the path of a URL of the provider. The URL has the host from the settings, but on loopback the browser may
 * use another host.
 */
function toLocalPath(address: string): string {
  const { pathname, search } = new URL(address, 'http://site.invalid');
  return pathname + search;
}

/** What every application with access may do, regardless of the scopes it requests: for the API, nearly everything. */
const ACCESS: Readonly<Record<InteractionDetails['resource'], readonly string[]>> = {
  api: [
    'use the Almanac API on your behalf: see, change and delete your forecasts, files and workspaces, answer invitations to workspaces, and manage who else can use them',
    'create API keys for your account, which end with its access, and revoke any of your keys',
    'create, change and delete webhooks, which send to addresses that it chooses what happens in your account and workspaces, until you delete them',
    'see where you are signed in and the security events of your account, and sign out your browsers',
  ],
  mcp: [
    'use the tools that Almanac offers to agents on your behalf: find and read series and files that you can read, make forecasts and questions, screen the market, and see your limits',
  ],
};

/** What each scope additionally allows. */
const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  openid: 'know which account is yours',
  profile: 'see your name',
  email: 'see your email address',
  offline_access: 'stay connected while you are away, until you revoke its access',
};

/** Renders the page that asks for consent to let an application act for the account. */
function consentView({ uid, client, scopes, resource, redirectUri }: InteractionDetails, account: Account): Page {
  const action = `/auth/interaction/${uid}`;
  const permissions = [...ACCESS[resource], ...textsOf(scopes)];
  return {
    title: `Allow ${client.name}?`,
    formsMayLeave: true,
    body: html`<div class="card stack">
<h1>Allow ${client.name} to use your account?</h1>
<dl>
<div><dt>Your account</dt><dd><strong>${account.email}</strong></dd></div>
${client.host !== null && html`<div><dt>The application comes from</dt><dd><strong>${client.host}</strong></dd></div>`}
${client.uri !== null && html`<div><dt>The application’s address</dt><dd>${linkTo(client.uri)}</dd></div>`}
<div><dt>You will be sent to</dt><dd>${recipientOf(redirectUri)}</dd></div>
</dl>
<div><h2>It will be able to</h2>
<ul class="ticks tight">${permissions.map((permission) => html`<li>${permission}</li>`)}</ul></div>
${client.host !== null && html`<p class="hint">The application chose its name itself. Allow it only if you trust ${client.host} and started this sign-in.</p>`}
<form method="post" action="${action}" class="pair">
<button class="quiet" name="decision" value="deny">Deny</button>
<button name="decision" value="allow">Allow</button>
</form>
<p class="hint">You can revoke this at any time on your account page. The application never sees your password.</p>
<p><a class="tap" href="${withReturnTo('/auth/sign-out', action)}">Use another account</a></p>
</div>`,
  };
}

function textsOf(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => (Object.hasOwn(SCOPE_TEXTS, scope) ? (SCOPE_TEXTS[scope] ?? []) : []));
}

/** Renders a link only for web addresses, because the application chose the address itself. */
function linkTo(uri: string): Html {
  return /^https?:\/\//i.test(uri)
    ? html`<a class="tap" href="${uri}" rel="noopener noreferrer">${uri}</a>`
    : html`${uri}`;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns the name of the site or program to which the browser is sent. */
function recipientOf(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { protocol, host, hostname } = new URL(redirectUri);
  if (!/^https?:$/.test(protocol)) return `a program on this device (${protocol})`;
  return LOOPBACK.test(hostname) ? `a program on this device (${host})` : host;
}
