import { ANONYMOUS } from '../../../src/access/index.ts';
import { renderConsole } from '../../../src/api/pages/console/document.ts';
import { renderEmpty, renderNote, renderProblem } from '../../../src/api/pages/console/states.ts';
import { type Html, html } from '../../../src/api/pages/html.ts';
import { Fault } from '../../../src/contract/index.ts';
import type { ConsoleView } from './view.ts';

/** Returns the view of a page that only the tests have: every component of the design system in one place. */
function gallery(name: string, title: string, body: Html): ConsoleView {
  return {
    name: `components-${name}`,
    async open(page, { url }) {
      const text = renderConsole({ title, body, section: 'search' }, { principal: ANONYMOUS, address: '/' });
      await page.route(`${url}/components/${name}`, (route) => route.fulfill({ contentType: 'text/html', body: text }));
      await page.goto(`${url}/components/${name}`);
    },
  };
}

const rows = [
  ['Jan 2024', '422.99', '424.10', '425.26'],
  ['Feb 2024', '423.40', '424.91', '426.43'],
  ['Mar 2024', '424.02', '425.87', '427.80'],
];

const table = html`<div class="scroll" role="region" aria-label="Quantiles by period" tabindex="0"><table>
<caption>Quantiles by period, in parts per million</caption>
<thead><tr><th scope="col">Period</th><th scope="col">10%</th><th scope="col">50%</th><th scope="col">90%</th></tr></thead>
<tbody>${rows.map(
  ([first = '', ...others]) =>
    html`<tr><th scope="row">${first}</th>${others.map((value) => html`<td>${value}</td>`)}</tr>`,
)}</tbody>
</table></div>`;

const content = html`<div class="page-head">
<div><p class="eyebrow">Series</p><h1>Atmospheric carbon dioxide, Mauna Loa</h1>
<p class="lead">Monthly means since 1958. The last value is <strong>424.10 ppm</strong>.</p></div>
<p class="actions"><a class="button" href="/new">Forecast this</a><a class="button quiet" href="/search">Search again</a></p>
</div>
<nav class="tabs" aria-label="Views"><ul><li><a href="/forecasts" aria-current="page">List</a></li><li><a href="/forecasts?view=record">Track record</a></li></ul></nav>
<div class="aside">
<section class="card stack"><div class="card-head"><h2>Values</h2><span class="tag good">Completed</span></div>
<dl class="tiles"><div><dt>Rows</dt><dd>808</dd></div><div><dt>Units</dt><dd>ppm</dd></div><div><dt>Last period</dt><dd>Mar 2024</dd></div></dl>
${table}
<details><summary>How this is computed</summary><p>From daily means of the station.</p></details></section>
<section class="card stack"><h2>States</h2>
<p class="actions"><span class="tag">Queued</span><span class="tag info">Running</span><span class="tag good">Completed</span><span class="tag warning">Canceled</span><span class="tag bad">Failed</span><span class="tag plain">Monthly</span></p>
<p class="figure">12.4% <small>better</small></p>
<label for="done">Two of three models</label><progress id="done" value="2" max="3">2 of 3</progress>
<p class="hint">Press <kbd>/</kbd> to search.</p></section>
</div>
<div class="grid"><section class="card link"><h2><a class="cover" href="/series">Airline passengers</a></h2><p class="soft">Monthly, 1949 to 1960</p></section>
<section class="card link"><h2><a class="cover" href="/series">Sunspots</a></h2><p class="soft">Monthly, 1749 to 1983</p></section></div>
<nav class="pagination" aria-label="Pages"><span>1 to 20 of 143</span><p class="actions"><a class="button quiet" href="/forecasts">Newer</a><a class="button quiet" href="/forecasts">Older</a></p></nav>`;

const form = html`<h1>New forecast</h1>
<form class="flow">
<fieldset class="card stack"><legend>Settings</legend>
<div class="fields">
<div><label for="horizon">Horizon</label><input id="horizon" name="horizon" type="number" autocomplete="off" value="0" aria-invalid="true" aria-describedby="horizon-error"><p class="error" id="horizon-error">Horizon must be at least 1.</p></div>
<div><label for="frequency">Frequency</label><select id="frequency" name="frequency"><option>Monthly</option></select></div>
<div><label for="name">Name</label><input id="name" name="name" autocomplete="off" placeholder="Optional"></div>
</div>
<fieldset><legend>Seasonality</legend><div class="segments">
<input type="radio" id="auto" name="season" checked><label for="auto">Automatic</label>
<input type="radio" id="none" name="season"><label for="none">None</label>
<input type="radio" id="weekly" name="season" disabled><label for="weekly">Weekly</label></div></fieldset>
<fieldset><legend>Models</legend><div class="choices">
<div class="choice"><input type="checkbox" id="ets" name="ets" checked><label for="ets">ETS<small>Level, trend and season with exponential weights</small></label></div>
<div class="choice"><input type="checkbox" id="toto" name="toto"><label for="toto">Toto<small>A network that was trained on many series</small></label></div></div></fieldset>
</fieldset>
${renderNote('warning', 'The 80% interval held 12 of 24 unseen months. Treat it as too narrow.', 'Too confident')}
${renderNote('info', 'This forecast costs 3 of your 50 credits.')}
<p class="actions"><button type="submit">Create the forecast</button><button type="button" class="quiet">Reset</button><button type="button" class="danger">Delete</button><button type="button" class="bare">Copy the link</button><button type="button" disabled>Wait</button></p>
</form>
<div class="toolbar"><div><label for="interval">Interval</label><select id="interval"><option>Daily</option></select></div>
<nav class="segments" aria-label="Scale"><a href="/series?scale=linear" aria-current="true">Linear</a><a href="/series?scale=log">Log</a></nav></div>`;

const states = html`<h1>States</h1><div class="flow">
${renderEmpty({
  title: 'No forecasts yet',
  text: 'Search for a series and forecast it. It takes less than a minute.',
  steps: [
    { href: '/search', label: 'Search markets and series' },
    { href: '/new', label: 'Start from an example' },
  ],
})}
${renderProblem(new Fault('RATE_LIMITED', 'Your plan allows 60 requests a minute.', { retryAfter: 90 }), { retry: '/' })}
${renderProblem(new Fault('PROVIDER_FAILED', 'Yahoo Finance did not respond within 10 seconds.'), { retry: '/' })}
<div class="loading" role="status"><p class="soft">Reading the forecasts.</p><div class="skeleton rows" aria-hidden="true"><span></span><span></span><span></span><span></span></div></div>
</div>`;

export const componentViews: readonly ConsoleView[] = [
  gallery('content', 'Components', content),
  gallery('form', 'Form components', form),
  gallery('states', 'States', states),
];
