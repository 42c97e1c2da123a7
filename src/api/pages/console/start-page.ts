import { html } from '../html.ts';
import { withReturnTo } from '../visit.ts';
import type { ConsolePage } from './document.ts';
import { renderSearchForm } from './search/render-form.ts';
import { renderExamples } from './start/render-examples.ts';
import type { ConsoleRoute } from './visit.ts';

export const startPage: ConsoleRoute = {
  path: '/',
  get: async ({ visitor }) => render(visitor.principal.kind === 'account'),
};

/** Renders the page that welcomes every visitor. @param isSignedIn whether an account is, to which guest rules do not apply */
function render(isSignedIn: boolean): ConsolePage {
  return {
    title: 'Forecasts that anyone can check',
    script: 'search',
    ownSearch: true,
    body: html`<div class="hero">
<h1>Forecasts that anyone can check</h1>
<p class="lead">Find a price or an economic series and get a range of what may come next. Several models compete on the past, rows that they have not seen score them, and everything is kept so that anyone can repeat it.</p>
${renderSearchForm({ query: '' })}
<p class="own-data">Or forecast your own data: <a class="tap" href="/files">Upload a CSV file</a></p>
${
  isSignedIn
    ? html`<p class="own-data">If you made forecasts before: <a class="tap" href="/forecasts">My forecasts</a></p>`
    : html`<p class="own-data">To keep what you make: <a class="tap" href="${withReturnTo('/auth/sign-up', '/')}">Create an account</a> or <a class="tap" href="${withReturnTo('/auth/sign-in', '/')}">Sign in</a></p>`
}
</div>
<p class="search-count" id="count" role="status"></p>
<div id="results" class="results"></div>
<div id="welcome" class="welcome">
<section aria-labelledby="examples">
<div class="section-head">
<h2 id="examples">Start with a real one</h2>
<p class="soft">Choose one, press one button, and watch the models finish. ${isSignedIn ? 'The' : 'No account needed; the'} data are bundled.</p>
</div>
${renderExamples()}
<p class="hint">The line begins with what happened. Its blue end is the middle of the forecast, and the shade around it is where eight of ten outcomes are expected. Almanac made these forecasts from the bundled rows, which end on the dates shown.</p>
</section>
<section aria-labelledby="how">
<h2 id="how">How it works</h2>
<ol class="how">
<li><h3>Find a series</h3><p>Stocks, indexes and currencies, and the series of statistical offices and central banks. Some are bundled, the others come from their providers when you ask for them.</p></li>
<li><h3>Forecast it</h3><p>Up to eight models forecast parts of the past. Weights move only where that shows a clear gain, and the last part of the history, which chose nothing, shows what the result is worth.</p></li>
<li><h3>Check it</h3><p>The rows are frozen and the method is recorded, so the same forecast gives the same numbers again. What really happens later is drawn over it and scored.</p></li>
</ol>
</section>
<section class="expect" aria-labelledby="limits">
<h2 id="limits">What to expect</h2>
<ul class="ticks">
<li>A forecast is a range, not a promise. If it did no better than a simple baseline, its page states that.</li>
${!isSignedIn && html`<li>You can use everything here as a guest, with one forecast at a time and up to 96 periods ahead. Guest forecasts stay for 30 days and open only in this browser; an account keeps them.</li>`}
<li>While you type, only listings on this service are searched. Words leave it only when you press Enter and few series match.</li>
</ul>
</section>
</div>`,
  };
}
