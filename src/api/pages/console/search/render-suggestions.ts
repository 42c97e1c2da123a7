import { type Html, html } from '../../html.ts';

/** Queries that the bundled data answer, so that they work without a network. */
const QUERIES = ['Apple', 'S&P 500', 'US employment', 'consumer prices', 'carbon dioxide', 'unemployment', 'weather'];

/** Renders what can be searched, before anything is. */
export function renderSuggestions(): Html {
  return html`<section class="suggestions" aria-labelledby="try">
<h2 id="try">Try one of these</h2>
<ul class="chips">${QUERIES.map(
    (query) => html`<li><a href="/search?${new URLSearchParams({ q: query }).toString()}">${query}</a></li>`,
  )}</ul>
<h2>What you can find</h2>
<dl class="kinds-list">
<div><dt>Markets</dt><dd>Stocks, indexes and, where a provider is configured, currencies, metals and coins, as bars from one minute to one month.</dd></div>
<div><dt>Economic series</dt><dd>Prices, jobs, output and interest rates from statistical offices and central banks, by country and over decades.</dd></div>
<div><dt>Warehouse tables</dt><dd>Columns of tables that the operator of this service publishes, and public data sets for accounts.</dd></div>
</dl>
</section>`;
}
