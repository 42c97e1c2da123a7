import { renderFacts } from '../../facts.ts';
import { formatCount, formatInteger, formatSize } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderMeaning } from '../terms.ts';
import {
  ageOf,
  describeQueue,
  hasOnlyFailed,
  inOrder,
  isLate,
  isUntried,
  isWorkerAway,
  listTroubles,
  type ProviderState,
  type QueueState,
  type ServiceState,
  type Site,
} from './describe-service.ts';
import { ADMIN_PATH, formatDuration, renderTime } from './words.ts';

/** Renders the state of the service. The script exchanges all of it every few seconds. */
export function renderService(state: ServiceState, site: Site): Html {
  return html`${renderSummary(state, site)}
${renderQueues(state)}
${renderProviders(state.providers)}
<div class="grid two">
${renderStamper(state)}
${renderInstallation(state)}
</div>`;
}

function renderSummary(state: ServiceState, site: Site): Html {
  const troubles = listTroubles(state, site);
  const isFine = troubles.length === 0;
  const untried = state.providers.filter(isUntried);
  return html`<section class="card stack" aria-labelledby="summary">
<div class="card-head"><h2 id="summary">${
    isFine
      ? untried.length === 0
        ? 'Everything works'
        : 'Nothing needs attention'
      : `${formatCount(troubles.length, 'thing')} ${troubles.length === 1 ? 'needs' : 'need'} attention`
  }</h2>
<span class="tag ${isFine ? (untried.length === 0 ? 'good' : 'info') : 'warning'}">${isFine ? (untried.length === 0 ? 'Working' : 'Partly not used yet') : 'Look twice'}</span></div>
${
  isFine
    ? html`<p class="soft">A worker runs, no job waits for long, and ${untried.length === 0 ? 'every provider in use gets requests' : 'no provider is paused'}.</p>`
    : html`<ul class="troubles">${troubles.map(
        ({ what, remedy }) => html`<li><strong>${what}</strong> ${remedy}</li>`,
      )}</ul>`
}
${untried.length > 0 && renderUntried(untried)}
${!site.hasMailServer && site.isLoopback && html`<p>No mail server is set up (<code>ALMANAC_SMTP_URL</code>), so emails are written to the log, with the links in them.</p>`}
${renderFacts('tiles', [
  ['Jobs ready', formatInteger(sum(state.queues.map(({ waiting }) => waiting)))],
  ['Jobs running', formatInteger(sum(state.queues.map(({ running }) => running)))],
  ['Worker seen', renderWorker(state)],
  ['Accounts', formatInteger(state.accounts.total)],
])}
<p class="hint">Read ${renderTime(state.at)}. <a href="${ADMIN_PATH}">Read it again</a></p>
</section>`;
}

/** Renders the providers of which no one knows yet whether they work. */
function renderUntried(untried: readonly ProviderState[]): Html {
  return html`<p>Not used yet: ${untried.map(({ id }) => id).join(', ')}. No request has been sent to ${untried.length === 1 ? 'this provider' : 'these providers'} so far. “almanac providers check” tries them.</p>`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function renderWorker(state: ServiceState): Html | string {
  if (state.worker_seen_at === null) return 'never';
  const ago = `${formatDuration(ageOf(state, state.worker_seen_at))} ago`;
  return isWorkerAway(state) ? html`<span class="late">${ago}</span>` : ago;
}

function renderQueues({ queues }: ServiceState): Html {
  return html`<section class="card stack" aria-labelledby="queues">
<h2 id="queues">Queues</h2>
<p class="hint">Jobs that wait for a later time are not counted. Workers count the running ones every ten seconds.</p>
<div class="scroll" role="region" aria-label="Table of the queues" tabindex="0"><table>
<thead><tr><th scope="col">Work</th><th scope="col">Ready</th><th scope="col">Oldest</th><th scope="col">Running</th><th scope="col" class="words">State</th></tr></thead>
<tbody>${inOrder(queues).map(renderQueue)}</tbody></table></div>
</section>`;
}

function renderQueue(queue: QueueState): Html {
  const { name, waiting, oldest_seconds, running } = queue;
  const [tone, label] = isLate(queue)
    ? ['warning', 'Late']
    : waiting > 0
      ? ['info', 'Waiting']
      : running > 0
        ? ['info', 'Running']
        : ['plain', 'Idle'];
  return html`<tr><th scope="row">${describeQueue(name)}</th><td>${formatInteger(waiting)}</td><td>${
    waiting === 0 ? '–' : formatDuration(oldest_seconds)
  }</td><td>${formatInteger(running)}</td><td class="words"><span class="tag ${tone}">${label}</span></td></tr>
`;
}

const PROVIDER_STATES = {
  closed: ['good', 'In use'],
  trial: ['info', 'Being tried again'],
  open: ['bad', 'Paused after failures'],
} as const;

function renderProviders(providers: readonly ProviderState[]): Html {
  const used = providers.filter(({ configured }) => configured);
  const others = providers.filter(({ configured }) => !configured);
  return html`<section class="card stack" aria-labelledby="providers">
<div class="card-head begin"><h2 id="providers">Providers</h2>${renderMeaning('provider')}</div>
<div class="scroll" role="region" aria-label="Table of the providers" tabindex="0"><table>
<thead><tr><th scope="col">Provider</th><th scope="col" class="words">State</th><th scope="col" class="when">Last success</th><th scope="col" class="when">Last failure</th><th scope="col">Requests left</th><th scope="col" class="words">Listing</th></tr></thead>
<tbody>${used.map(renderProvider)}</tbody></table></div>
${
  others.length > 0 &&
  html`<p class="hint">Not set up: ${others.map(({ id }) => id).join(', ')}. The file <code>docs/data.md</code> of the service has their settings.</p>`
}
</section>`;
}

function renderProvider(provider: ProviderState): Html {
  const { id, supplies, state, listing } = provider;
  const isBundled = provider.requests_left === null;
  const [tone, label] = isBundled
    ? (['good', 'Bundled'] as const)
    : isUntried(provider)
      ? (['plain', 'Not used yet'] as const)
      : hasOnlyFailed(provider)
        ? (['warning', 'No answer so far'] as const)
        : PROVIDER_STATES[state];
  const { last_failure: failure } = provider;
  return html`<tr><th scope="row">${id}<small class="what">${supplies === 'market' ? 'market prices' : 'economic series'}</small></th>
<td class="words"><span class="tag ${tone}">${label}</span></td>
<td class="when">${isBundled ? '–' : renderTime(provider.last_success_at, 'none yet')}</td>
<td class="when">${failure === null ? '–' : html`${failure.fault} ${renderTime(failure.at)}`}</td>
<td>${isBundled ? '–' : formatInteger(provider.requests_left ?? 0)}</td>
<td class="words">${listing === null ? '–' : renderListing(listing)}</td></tr>
`;
}

function renderListing({ entries, refreshed_at, error }: NonNullable<ProviderState['listing']>): Html {
  return html`${formatCount(entries, 'entry').replace(/entrys$/, 'entries')}${refreshed_at !== null && html`, ${renderTime(refreshed_at)}`}${
    error !== null && html` <span class="tag warning">${error}</span>`
  }`;
}

function renderStamper({ stamper }: ServiceState): Html {
  const reasons = Object.entries(stamper.waiting);
  return html`<section class="card stack" aria-labelledby="stamper">
<div class="card-head"><div class="card-head begin"><h2 id="stamper">Stamps</h2>${renderMeaning('stamp')}</div><span class="tag ${stamper.kind === null ? 'plain' : 'good'}">${
    stamper.kind === null ? 'Off' : `By ${stamper.kind}`
  }</span></div>
${stamper.kind === null && html`<p class="soft">No stamper is set up, so proofs get no stamp. Everything else works.</p>`}
${renderFacts('facts', [
  ['Waiting', formatInteger(stamper.pending)],
  ['Being stamped', formatInteger(stamper.stamping)],
  ['Stamped', formatInteger(stamper.stamped)],
  ['Oldest that waits', stamper.oldest_unstamped_at === null ? null : renderTime(stamper.oldest_unstamped_at)],
  ['Latest stamp', stamper.last_stamped_at === null ? null : renderTime(stamper.last_stamped_at)],
  ['Why they wait', reasons.length === 0 ? null : reasons.map(([reason, count]) => `${reason}: ${count}`).join(', ')],
])}
</section>`;
}

function renderInstallation({ version, node, database, accounts }: ServiceState): Html {
  return html`<section class="card stack" aria-labelledby="installation">
<h2 id="installation">Installation</h2>
${renderFacts('facts', [
  ['Version', version],
  ['Node', node],
  ['Database', database.kind === 'postgres' ? 'PostgreSQL' : 'embedded (PGlite)'],
  ['Its size', formatSize(database.bytes)],
  ['Administrators', formatInteger(accounts.administrators)],
  ['Locked accounts', formatInteger(accounts.locked)],
])}
</section>`;
}
