import {
  type Operations,
  type Output,
  SCREENER_MAIL_REASONS,
  type ScreenerMailState,
} from '../../../../contract/index.ts';
import { formatDay, formatMoment } from '../../format.ts';
import { readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderEmpty } from '../states.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts } from './access.ts';
import { renderDelivery } from './delivery.ts';
import { renderEmailSwitch } from './email-switch.ts';
import { filterPath } from './filter-path.ts';

type Mails = Output<Operations['listScreenerMails']>;
type Filters = Output<Operations['listScreenerAlerts']>['alerts'];

const PATH = '/screener/mails';

/** The emails about filters: which are on, what was sent and, if something was not, why. */
export const mailsPage: ConsoleRoute = {
  path: PATH,
  get: forAccounts(showMails),
  post: forAccounts(async (visit) => {
    const { alerts } = await visit.visitor.call('listScreenerAlerts');
    for (const { id, email } of alerts)
      if (email) await visit.visitor.call('updateScreenerAlert', { params: { alert_id: id }, body: { email: false } });
    setNotice(visit, 'emails_off', PATH);
    return new SeeOther(PATH);
  }),
};

async function showMails({ visitor, query }: ConsoleVisit): Promise<ConsolePage> {
  const cursor = readField(query, 'cursor');
  const { alerts } = await visitor.call('listScreenerAlerts');
  const page = await visitor.call('listScreenerMails', { query: cursor === undefined ? {} : { cursor } });
  return {
    title: 'Emails about your filters',
    section: 'screener',
    script: 'screener',
    body: html`${renderCrumbs([{ href: '/screener', label: 'Screener' }])}
<div class="page-head"><div><h1>Emails about your filters</h1>
<p class="soft">At most one email for each session, about all filters with emails turned on that matched.</p></div></div>
${renderDelivery(page.delivery)}
${renderSwitches(alerts)}
${renderSent(page, cursor)}`,
  };
}

function renderSwitches(filters: Filters): Html | null {
  if (filters.length === 0) return null;
  const on = filters.filter(({ email }) => email).length;
  return html`<section class="card stack" aria-labelledby="switches"><div class="card-head"><h2 id="switches">Filters</h2>${
    on > 1 && html`<form method="post" action="${PATH}"><button class="quiet">Turn off all emails</button></form>`
  }</div>
<ul class="switches">${filters.map(
    (filter) => html`
<li><a class="tap" href="${filterPath(filter.id)}">${filter.name}</a><span class="tag${filter.email && ' info'}">${filter.email ? 'Emails on' : 'Emails off'}</span>${renderEmailSwitch(filter, 'mails')}</li>`,
  )}
</ul></section>`;
}

const STATES: Readonly<Record<ScreenerMailState, readonly [label: string, tone: string]>> = {
  queued: ['Waiting', 'info'],
  sending: ['Being sent', 'info'],
  sent: ['Sent', 'good'],
  failed: ['Not sent', 'bad'],
  bounced: ['Came back', 'bad'],
  over_budget: ['Not sent', 'warning'],
  unknown: ['Unclear', 'warning'],
  skipped: ['Not sent', 'warning'],
};

function renderSent({ mails, next_cursor: next }: Mails, cursor: string | undefined): Html {
  if (mails.length === 0 && cursor === undefined) {
    return html`<section class="stack" aria-labelledby="sent"><h2 id="sent">What was sent</h2>${renderEmpty({
      title: 'No emails yet',
      text: 'The first one follows the next session in which a filter with emails turned on matches.',
      level: 3,
    })}</section>`;
  }
  return html`<section class="card stack" aria-labelledby="sent"><h2 id="sent">What was sent</h2>
<div class="scroll" role="region" aria-label="Emails" tabindex="0"><table>
<thead><tr><th scope="col" class="when">${renderTerm('session', 'Session')}</th><th scope="col" class="when">State</th><th scope="col" class="words">Why</th><th scope="col">Attempts</th><th scope="col" class="when">Sent</th></tr></thead>
<tbody>${mails.map(renderMail)}
</tbody></table></div>
${
  (cursor !== undefined || next !== null) &&
  html`<nav class="pagination" aria-label="Pages of the list">${
    cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${PATH}">Back to the newest</a>`
  }${next !== null && html`<a class="button quiet" rel="next" href="${PATH}?cursor=${encodeURIComponent(next)}">Earlier emails</a>`}</nav>`
}</section>`;
}

function renderMail({ session, state, reason, attempts, sent_at: sentAt }: Mails['mails'][number]): Html {
  const [label, tone] = STATES[state];
  return html`
<tr><th scope="row" class="when"><time datetime="${session}">${formatDay(new Date(session))}</time></th><td class="when"><span class="tag ${tone}">${label}</span></td><td class="words">${
    reason === null ? html`<span class="soft">–</span>` : SCREENER_MAIL_REASONS[reason]
  }</td><td>${attempts}</td><td class="when">${
    sentAt === null
      ? html`<span class="soft">–</span>`
      : html`<time datetime="${sentAt}" data-local>${formatMoment(new Date(sentAt))}</time>`
  }</td></tr>`;
}
