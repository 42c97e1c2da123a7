import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../../access/index.ts';
import { hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderReceipt } from '../../public/receipt.ts';
import { citeForecast, embedForecast, forecastUrl } from '../../sharing.ts';
import { renderFeedLink } from '../account/feed-link.ts';
import type { ConsoleVisit } from '../visit.ts';
import { type Allowed, type Forecast, forecastPath } from './action-visit.ts';
import { isUnfinished } from './cancel.ts';
import { ALL_ENDED, openSteps } from './question-form.ts';
import { renderRenaming } from './rename.ts';
import { REPRODUCING } from './reproduce.ts';
import { GUEST_DAYS, renderPreparing } from './save-views.ts';
import { MEANINGS, renderGuestRule, renderPublishing, renderVisibility } from './visibility.ts';

/** What the actions on the page of a forecast depend on. */
export interface ActionsView {
  readonly forecast: Forecast;
  readonly allowed: Allowed;
  readonly principal: Principal;
  readonly siteUrl: string;
  /** The idempotency key of the forms that create something. */
  readonly key: string;
  readonly now: Date;
}

export interface ShownActions {
  readonly shown: Html;
  /** Whether the visitor may change the forecast, and so enter its actual values. */
  readonly canChange: boolean;
  readonly isOwn: boolean;
}

/** Renders everything that the visitor of a forecast can do with it. */
export async function showActions(visit: ConsoleVisit, forecast: Forecast): Promise<ShownActions> {
  const { visitor, siteUrl, now } = visit;
  const params = { forecast_id: forecast.forecast_id };
  const allowed = await visitor.call('listForecastActions', { params });
  const shown = renderActions({ forecast, allowed, principal: visitor.principal, siteUrl, key: randomUUID(), now });
  return { shown, canChange: allowed.actions.includes('update'), isOwn: allowed.is_own };
}

export function renderActions(view: ActionsView): Html {
  const { forecast } = view;
  const hasResult = forecast.status === 'completed';
  return html`${renderKeeping(view)}
<div class="grid two forecast-actions">
${
  !hasNothingToShare(forecast) &&
  html`<div>${renderSharing(view)}
${hasResult && renderAsking(view)}</div>`
}
<div>${hasResult && renderTaking(view)}
${renderChanging(view)}</div>
</div>`;
}

/** Whether a forecast has no result and no address that others could open. */
function hasNothingToShare({ status, visibility }: Forecast): boolean {
  return status === 'failed' && visibility !== 'public';
}

/** Renders how a guest keeps a forecast. */
function renderKeeping({ forecast, principal, allowed }: ActionsView): Html | null {
  if (principal.kind !== 'guest' || !allowed.is_own || forecast.status === 'failed') return null;
  return html`<section class="card stack keep" aria-labelledby="keep">
<h2 id="keep">Keep this forecast</h2>
<p>Only this browser has it, for at most ${GUEST_DAYS} days. Save it to an account to keep it, share it and follow its score.</p>
${isUnfinished(forecast) ? html`<p class="soft">You can save it as soon as it has completed.</p>` : renderPreparing(forecast)}
</section>`;
}

/** Renders the address, the citation and the frame of a forecast, or why it has none. */
function renderSharing({ forecast, principal, allowed, siteUrl }: ActionsView): Html {
  return html`<section class="card stack" aria-labelledby="share">
<h2 id="share">Share</h2>
${forecast.visibility === 'public' ? renderAddresses(forecast, siteUrl) : renderNotPublic({ forecast, principal, allowed })}
</section>`;
}

function renderNotPublic({
  forecast,
  principal,
  allowed,
}: Pick<ActionsView, 'forecast' | 'principal' | 'allowed'>): Html {
  if (principal.kind === 'guest')
    return isUnfinished(forecast)
      ? html`<p>Only you can see it. You can share it after it has completed and you have saved it to an account.</p>`
      : renderGuestRule(forecast);
  const [, meaning] = MEANINGS[forecast.visibility];
  if (!allowed.actions.includes('update')) return html`<p>${meaning}</p>`;
  return html`<p>${meaning} To share it with everyone, make it public first. Its address then shows the chart, the numbers and the score.</p>
${renderPublishing(forecast)}`;
}

function renderAddresses(forecast: Forecast, siteUrl: string): Html {
  const { name, slug, created_at: createdAt, provenance, status } = forecast;
  const cited = { name, slug, madeAt: new Date(createdAt), contentCid: provenance?.content_cid ?? null };
  return html`<p>${MEANINGS.public[1]}</p>
<div><p class="label">Address</p><pre data-copy="the address">${forecastUrl(forecast, siteUrl)}</pre></div>
<div><p class="label">Cite</p><pre data-copy="the citation">${citeForecast(cited, siteUrl)}</pre></div>${
    status === 'completed' &&
    html`
<div><p class="label">Embed</p><pre data-copy="the markup">${embedForecast(forecast, siteUrl)}</pre></div>
<p class="links"><a class="tap" href="${forecastPath(forecast, 'chart.svg')}">Chart as SVG</a>
<a class="tap" href="${forecastPath(forecast, 'chart.png')}">Chart as PNG</a></p>`
  }`;
}

/** Renders the files of a completed forecast, and how anyone can check it. */
function renderTaking({ forecast, principal }: ActionsView): Html {
  const { forecast_id: id, slug, provenance } = forecast;
  const file = `/api/v1/ensemble-forecasts/${id}`;
  return html`<section class="card stack" aria-labelledby="take">
<h2 id="take">Export and prove</h2>
<p class="links"><a class="tap" href="${file}/export?format=csv">Predictions as CSV</a>
<a class="tap" href="${file}/export?format=json">Everything as JSON</a></p>
${renderFeedLink(principal, new URLSearchParams({ forecast: slug }))}
<p>The proof is a file with the result, the settings and the hash of the rows. Its content id changes with every digit.</p>
${renderReceipt(provenance?.content_cid ?? null, provenance)}
<p class="links"><a class="tap" href="${file}/proof" download="${slug}-proof.json">Download the proof</a>
<a class="tap" href="/verify">Verify a proof</a></p>
</section>`;
}

function renderAsking({ forecast, principal, now }: ActionsView): Html {
  const address = forecastPath(forecast, 'questions');
  const isOpen = openSteps(forecast, now).length > 0;
  return html`<section class="card stack" aria-labelledby="questions">
<h2 id="questions">Questions</h2>
<p>Turn the forecast into a yes or no with a probability, which is scored when the value is known.${principal.kind === 'guest' && ' This needs an account.'}</p>
${
  isOpen
    ? html`<p><a class="button quiet" href="${address}">Ask a question</a></p>`
    : html`<p class="soft">${ALL_ENDED}</p>
<p><a class="tap" href="${address}">Questions that were asked</a></p>`
}
</section>`;
}

/** Renders the actions that change, repeat or end a forecast. */
function renderChanging(view: ActionsView): Html | null {
  const { forecast, allowed, principal, key } = view;
  const can = (action: Allowed['actions'][number]) => allowed.actions.includes(action);
  const canCancel = can('cancel') && isUnfinished(forecast);
  const canReproduce = can('reproduce') && !isUnfinished(forecast) && forecast.snapshot.removed_at === undefined;
  if (!canCancel && !canReproduce && !can('update') && !can('delete')) return null;
  return html`<section class="card stack" aria-labelledby="change">
<h2 id="change">Manage</h2>
${
  canCancel &&
  html`<form method="post" action="${forecastPath(forecast, 'cancel')}"><button class="quiet">Cancel the forecast</button>
<p class="hint">It stops and gets no result. Its credits are free again.</p></form>`
}
${
  canReproduce &&
  html`<form method="post" action="${forecastPath(forecast, 'reproduce')}">${hidden('key', key)}<button class="quiet">Reproduce</button>
<p class="hint">${REPRODUCING}</p></form>`
}
${can('update') && html`<details><summary>Rename</summary>${renderRenaming(forecast)}</details>`}
${
  can('update') &&
  principal.kind !== 'guest' &&
  html`<details><summary>Change the visibility</summary>${renderVisibility(view)}</details>`
}
${can('delete') && html`<p><a class="button danger" href="${forecastPath(forecast, 'delete')}">Delete …</a></p>`}
</section>`;
}
