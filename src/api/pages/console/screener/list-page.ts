import { MAX_SCREENER_FILTERS, type Operations, type Output } from '../../../../contract/index.ts';
import { formatDay } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderHint } from '../hints.ts';
import { renderEmpty, renderNote } from '../states.ts';
import { renderMeaning } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts } from './access.ts';
import { renderDelivery } from './delivery.ts';
import { renderExamples } from './examples.ts';
import { filterPath } from './filter-path.ts';
import { describeRules, formatMatches } from './filter-words.ts';

type Filter = Output<Operations['listScreenerAlerts']>['alerts'][number];

/** The list of the account's filters, with their latest matches. */
export const screenerPage: ConsoleRoute = { path: '/screener', get: forAccounts(showList) };

async function showList(visit: ConsoleVisit): Promise<ConsolePage> {
  const { alerts, mail_delivery: delivery } = await visit.visitor.call('listScreenerAlerts');
  const isFull = alerts.length >= MAX_SCREENER_FILTERS;
  const session = alerts[0]?.latest?.session ?? null;
  return {
    title: 'Screener',
    section: 'screener',
    script: 'screener',
    body: html`<div class="page-head">
<div><h1>Screener</h1>
<p class="lead">${
      session === null
        ? 'Describe the symbols that interest you. After each close of the US stock exchanges you see which ones match.'
        : html`Matches at the close of <time datetime="${session}">${formatDay(new Date(session))}</time>.`
    }</p></div>
<p class="actions"><a class="button quiet" href="/screener/mails">Emails</a>${alerts.length > 0 && !isFull && html`<a class="button" href="/screener/new">New filter</a>`}</p>
</div>
${alerts.length > 0 && renderHint(visit, 'screener', HINT)}
${delivery.state === 'suspended' && renderDelivery(delivery)}
${
  alerts.length === 0
    ? html`${renderEmpty({
        title: 'No filters yet',
        text: 'A filter is a list of conditions, such as a close above its average. A preview shows its matches in the latest evaluated session before you save it.',
        steps: [{ href: '/screener/new', label: 'New filter' }],
      })}
${renderExamples()}`
    : html`<section class="stack" aria-labelledby="filters"><h2 id="filters">Your filters <span class="soft small">${alerts.length} of ${MAX_SCREENER_FILTERS}</span>${renderMeaning('filter')}</h2>
<ul class="filter-list">${alerts.map(renderFilter)}
</ul></section>
${isFull && renderNote('info', `You have ${MAX_SCREENER_FILTERS} filters, which is the most that an account can have. Delete or change one to try another.`)}`
}`,
  };
}

const HINT: Html = html`A match is <strong>new</strong> if the filter did not match the symbol in the session before. Open a filter to see its values, its charts and earlier sessions.`;

function renderFilter(filter: Filter): Html {
  const { id, name, email, latest } = filter;
  return html`
<li class="card link filter-card">
<div class="card-head"><h3><a class="cover" href="${filterPath(id)}">${name}</a></h3><span class="tag${email && ' info'}">${email ? 'Emails on' : 'Emails off'}</span></div>
<p class="soft">${describeRules(filter)}</p>
${renderLatest(latest)}
</li>`;
}

function renderLatest(latest: Filter['latest']): Html {
  if (latest === null) return html`<p class="small">Its first matches come after the next close of the exchange.</p>`;
  if (!latest.evaluated)
    return html`<p class="small">Saved after the latest session. Its first matches come after the next close.</p>`;
  const { total, new_total: newTotal, first_matches: matches } = latest;
  const more = total - matches.length;
  return html`<p><strong>${formatMatches(total, newTotal)}</strong></p>
${
  total > 0 &&
  html`<ul class="symbols">${matches.map(
    ({
      symbol,
      new: isNew,
    }) => html`<li${isNew && html` class="new"`}>${symbol}${isNew && html`<span class="away">, new</span>`}</li>
`,
  )}${more > 0 && html`<li class="soft">and ${more.toLocaleString('en-US')} more</li>`}</ul>`
}`;
}
