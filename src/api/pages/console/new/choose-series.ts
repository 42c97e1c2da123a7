import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderExamples } from '../start/render-examples.ts';

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
<p class="own-data">Or forecast your own data: <a class="tap" href="/files">Upload a CSV file</a></p>
<h2 class="above">Or begin with an example</h2>
${renderExamples()}`,
  };
}
