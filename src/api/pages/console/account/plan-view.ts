import type { Operations, Output } from '../../../../contract/index.ts';
import { renderFacts } from '../../facts.ts';
import { formatCount, formatInteger, formatShare, formatSize } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderNote } from '../states.ts';
import { renderMeaning, type Term } from '../terms.ts';
import { renderTime } from './times.ts';

export type Usage = Output<Operations['readUsage']>;

export const PLAN_NAMES = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise', guest: 'Guest' } as const;

/** Renders what a plan includes. */
export function renderPlanFacts({ credits, slots, requests, storage }: Usage, isWithApi: boolean): Html {
  return html`${renderFacts('facts', [
    ['Credits a month', credits.limit === null ? 'Unlimited' : formatInteger(credits.limit)],
    ['Slots', formatCount(slots.limit, 'forecast')],
    ['Requests', `${formatInteger(requests.limit)} a minute`],
    ['Storage', formatSize(storage.limit_bytes)],
    ['API keys, feeds and webhooks', isWithApi ? 'Included' : 'Not included'],
  ])}
<p class="hint">The operator of this site changes plans.</p>`;
}

/** Renders why an account on the free plan has no form. */
export function renderPlanNote(rule: string): Html {
  return renderNote(
    'info',
    `${rule} Yours is Free. The operator of this site changes plans.`,
    'Your plan does not include this',
  );
}

interface Meter {
  readonly name: string;
  readonly term?: Term;
  readonly used: number;
  readonly limit: number | null;
  readonly words: string;
  readonly more: string | Html;
}

/** Renders how much of each limit is in use, in words and as a bar. */
export function renderMeters({ credits, slots, storage, period }: Usage): Html {
  const reserved = credits.reserved > 0 ? `, and ${formatInteger(credits.reserved)} reserved for running ones` : '';
  const meters: Meter[] = [
    {
      name: 'Credits',
      term: 'credit',
      used: credits.used + credits.reserved,
      limit: credits.limit,
      words:
        credits.limit === null
          ? `${formatInteger(credits.used)} used`
          : `${formatInteger(credits.left ?? 0)} of ${formatInteger(credits.limit)} left`,
      more: html`${formatInteger(credits.used)} used by completed forecasts${reserved}. The next month begins ${renderTime(period.end)}.`,
    },
    {
      name: 'Slots',
      term: 'slot',
      used: slots.used,
      limit: slots.limit,
      words: `${formatInteger(slots.used)} of ${formatInteger(slots.limit)} taken`,
      more:
        slots.used === 0 ? 'No forecast is waiting or running.' : html`<a href="/forecasts">See your forecasts</a>.`,
    },
    {
      name: 'Storage',
      used: storage.bytes,
      limit: storage.limit_bytes,
      words: `${formatSize(storage.bytes)} of ${formatSize(storage.limit_bytes)}`,
      more: `${formatSize(storage.csv_bytes)} in files, ${formatSize(storage.snapshot_bytes)} in the rows of forecasts, ${formatSize(storage.forecast_bytes)} in their results and records.`,
    },
  ];
  return html`<div class="grid meters">${meters.map(renderMeter)}</div>`;
}

function renderMeter({ name, term, used, limit, words, more }: Meter): Html {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  return html`<div class="meter"><h3>${name}${term !== undefined && renderMeaning(term)}</h3>
<p class="figure-line">${words}</p>
${limit !== null && html`<progress max="100" value="${Math.round(share * 100)}" aria-label="${name} in use">${formatShare(share, 0)}</progress>`}
<p class="hint">${more}</p></div>`;
}
