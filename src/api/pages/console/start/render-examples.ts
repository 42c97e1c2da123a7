import { drawSparkline } from '../../../../charts/index.ts';
import { formatCount, periodFormat, valueFormat } from '../../format.ts';
import { Html, html } from '../../html.ts';
import { EXAMPLES, type Example, exampleAddress } from './examples.ts';

/** Renders the examples as cards, each of which leads to the form of its forecast. */
export function renderExamples(): Html {
  return html`<ul class="examples">${EXAMPLES.map((example) => html`<li>${renderExample(example)}</li>`)}</ul>`;
}

function renderExample(example: Example): Html {
  const { name, question, horizon, period, units, scale = 1, forecast } = example;
  const { history, median, low, high, lastRow, lastStep } = forecast;
  const formatPeriod = periodFormat(example.frequency);
  const format = valueFormat([...low, ...high].map((value) => value / scale));
  const [last, lowest, middle, highest] = [history, low, median, high].map((values) =>
    format((values.at(-1) ?? Number.NaN) / scale),
  );
  const label = `The last ${history.length} ${period}s, then a forecast of the next ${horizon}: a line with an interval that widens`;
  const picture = new Html(drawSparkline({ history, median, low, high }, { width: 320, height: 112, label }));
  return html`<article class="card link example">
<h3><a class="cover" href="${exampleAddress(example)}">${name}</a></h3>
<p class="soft">${question}</p>
<div class="picture">${picture}</div>
<dl class="ends">
<div><dt>${formatPeriod(new Date(lastRow))}</dt><dd>${last}</dd></div>
<div><dt>${formatPeriod(new Date(lastStep))}</dt><dd><strong>${middle}</strong></dd></div>
<div><dt>8 of 10 outcomes</dt><dd>${lowest} to ${highest}</dd></div>
</dl>
<p class="go"><span class="tap">Make this forecast</span> <span class="hint">${formatCount(horizon, period)} ahead, in ${units}</span></p>
</article>`;
}
