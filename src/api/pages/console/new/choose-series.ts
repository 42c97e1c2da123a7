import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';

/** Series that come with Almanac, so that the examples work offline. */
const EXAMPLES = [
  [
    '/new?source=economic_series&provider=bundled&series_id=mauna-loa-co2',
    'Atmospheric CO2 at Mauna Loa',
    'A strong season and a steady trend, monthly since 1958.',
  ],
  [
    '/new?source=market&symbol=AAPL&provider=bundled&timeframe=1D',
    'Apple stock',
    'Daily closing prices, where nobody can promise much.',
  ],
  [
    '/new?source=economic_series&provider=bundled&series_id=us-employment-nonfarm',
    'US employment',
    'Monthly jobs through a recession and the recovery.',
  ],
] as const;

/** Renders the page without a series: find one first. @param note why the address names no series */
export function chooseSeries(note?: Html): ConsolePage {
  return {
    title: 'New forecast',
    section: 'new',
    ownSearch: true,
    body: html`<div class="page-head"><div>
<h1>What do you want to forecast?</h1>
<p class="soft">Find a market or a series, then choose how far ahead to look.</p>
</div></div>
${note}
<form class="card stack" role="search" method="get" action="/search">
<div><label for="q">Search markets and series</label>
<div class="with-button"><input id="q" name="q" type="search" autocomplete="off" maxlength="500" placeholder="For example unemployment, EURUSD or AAPL" data-search><button>Search</button></div></div>
</form>
<h2 class="above">Or begin with an example</h2>
<ul class="grid plain-list">${EXAMPLES.map(
      ([href, name, text]) =>
        html`<li class="card link"><h3><a class="cover" href="${href}">${name}</a></h3><p class="soft small">${text}</p></li>`,
    )}</ul>`,
  };
}
