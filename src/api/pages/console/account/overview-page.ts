import { type Account, isAdministrator } from '../../../../access/index.ts';
import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { NO_MAIL_SERVER } from '../../no-mail-server.ts';
import { renderHint } from '../hints.ts';
import { attempt } from '../refusals.ts';
import { renderNote } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { renderEnding } from './change.ts';
import { hasApi } from './feed-link.ts';
import { ACCOUNT_PATH, backTo, forAccounts, PARTS, type Part, partPath } from './frame.ts';
import { PLAN_NAMES, renderMeters, renderPlanFacts } from './plan-view.ts';
import { renderTime } from './times.ts';

type Access = Output<Operations['readAccess']>;
type Invitations = Output<Operations['listInvitations']>['invitations'];

/** The start of the account: what it is, what it used, and the way to everything else. */
const overviewPage: ConsoleRoute = {
  path: ACCOUNT_PATH,
  get: forAccounts(null, async (visit, account) => {
    const { visitor } = visit;
    const access = await visitor.call('readAccess');
    const usage = await visitor.call('readUsage');
    const { invitations } = await visitor.call('listInvitations', { query: { limit: 20 } });
    return {
      title: 'Your account',
      section: 'account',
      body: html`<div class="page-head"><div><h1>Your account</h1></div>
<p class="actions"><a class="button quiet" href="/auth/sign-out">Sign out</a></p></div>
${renderHint(visit, 'account', html`Everything about your account is on this page or one click from it. Words with a question mark open their meaning.`)}
${renderInvitations(invitations)}
<div class="grid two">
${renderAddress(visit, access.user)}
<section class="card stack" aria-labelledby="plan-title">
<div class="card-head"><h2 id="plan-title">Plan${renderMeaning('plan')}</h2><span class="tag info plain">${PLAN_NAMES[account.plan]}</span></div>
${renderPlanFacts(usage, hasApi(account))}
</section>
</div>
<section class="card stack" aria-labelledby="usage-title">
<div class="card-head"><h2 id="usage-title">In use now</h2><a class="button quiet" href="${partPath('usage')}">${PARTS.usage[0]}</a></div>
${renderMeters(usage)}
</section>
${await renderLinks(visit, account)}`,
    };
  }),
};

function renderAddress(
  { hasMailServer }: ConsoleVisit,
  { email, email_verified: isVerified, email_bounces: isBouncing }: Access['user'],
): Html {
  const state = isVerified ? (isBouncing ? 'emails bounce' : 'confirmed') : 'not confirmed';
  const isGood = state === 'confirmed';
  return html`<section class="card stack" aria-labelledby="address-title">
<h2 id="address-title">Email address</h2>
<p class="address"><strong>${email}</strong> <span class="tag ${isGood ? 'good' : 'bad'}">${state}</span></p>
${
  isGood
    ? html`<p class="hint">Sign-in links, invitations, and emails about your forecasts and filters go to this address.</p>`
    : html`${renderNote(
        'warning',
        isVerified
          ? 'Emails to this address came back. Confirm it again to get emails.'
          : `${hasMailServer ? 'Open the link in the email that we sent you.' : `${NO_MAIL_SERVER} Open the link in it.`} Until then you cannot publish, save filters or be invited.`,
      )}
${renderEnding(`${ACCOUNT_PATH}/verification`, null, 'Send the email again')}
<p class="hint">You can request at most three emails an hour.</p>`
}
</section>`;
}

/** Renders the open invitations, each with a link to the page that answers it. Without any, there is no section. */
function renderInvitations(invitations: Invitations): Html | null {
  if (invitations.length === 0) return null;
  return html`<section class="card stack" aria-labelledby="invitations-title">
<h2 id="invitations-title">Invitations${renderMeaning('invitation')}</h2>
<p class="hint">Nothing changes until you accept an invitation.</p>
<ul class="list">${invitations.map(({ invitation_id, kind, workspace_name, invited_by, expires_at }) => {
    const offer = kind === 'ownership' ? 'Become the owner of' : 'Join';
    const href = `/auth/invitation?${new URLSearchParams({ invitation: invitation_id }).toString()}`;
    return html`<li><div><p>${offer} <strong>${workspace_name}</strong></p>
<p class="hint">From ${invited_by}, until ${renderTime(expires_at)}</p></div>
<a class="button quiet" href="${href}" aria-label="Answer: ${offer} ${workspace_name}">Answer</a></li>`;
  })}</ul>
</section>`;
}

/** Renders a card for each page of the account, with what is behind it. */
async function renderLinks({ visitor }: ConsoleVisit, account: Account): Promise<Html> {
  const { api_keys: keys } = await visitor.call('listApiKeys');
  const { sessions } = await visitor.call('listSessions');
  const { applications } = await visitor.call('listApplications');
  const { feeds } = await visitor.call('listFeeds');
  const { webhooks } = await visitor.call('listWebhooks');
  const counts: Partial<Record<Part, string>> = {
    keys: formatCount(keys.length, 'key'),
    sessions: formatCount(sessions.length, 'browser'),
    applications: formatCount(applications.length, 'application'),
    feeds: formatCount(feeds.length, 'feed'),
    webhooks: formatCount(webhooks.length, 'webhook'),
  };
  const card = (href: string, name: string, purpose: string, count?: string): Html => html`<section class="card link">
<h3><a class="cover" href="${href}">${name}</a></h3>
<p class="soft">${count !== undefined && html`<strong>${count}.</strong> `}${purpose}</p></section>`;
  const parts = Object.entries(PARTS).filter(([part]) => part !== 'usage');
  return html`<section aria-labelledby="more-title">
<h2 id="more-title">Settings and security</h2>
<div class="grid account-cards">${parts.map(([part, [name, purpose]]) =>
    card(partPath(part as Part), name, purpose, counts[part as Part]),
  )}
${isAdministrator(account) && card('/admin', 'Administration', 'The state of the service, and its accounts.')}</div>
</section>`;
}

const verification: ConsoleRoute = {
  path: `${ACCOUNT_PATH}/verification`,
  post: async (visit) => {
    const result = await attempt(() => visit.visitor.call('requestVerification'));
    if (result instanceof Error && result.code !== 'CONFLICT') throw result;
    const sent = visit.hasMailServer ? 'verification_sent' : 'verification_logged';
    return backTo(visit, ACCOUNT_PATH, result instanceof Error ? 'gone_already' : sent);
  },
};

export const OVERVIEW_PAGES: readonly ConsoleRoute[] = [overviewPage, verification];
