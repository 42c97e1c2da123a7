import type { Account } from '../../../../access/index.ts';
import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderSelect, renderText } from '../fields.ts';
import { attempt, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { forAccounts, partPath, renderPart } from './frame.ts';
import { renderMeters } from './plan-view.ts';
import { renderHistory } from './usage-view.ts';

const PATH = partPath('usage');

const LABELS = { from: 'First day', to: 'Last day', interval: 'By' };

const INTERVALS = [
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
] as const;

/** What was used on each day or in each month. The choices are parameters of the address. */
export const usagePage: ConsoleRoute = { path: PATH, get: forAccounts('usage', showUsage) };

async function showUsage({ visitor, query }: ConsoleVisit, account: Account): Promise<ConsolePage> {
  const given: Record<string, string> = { interval: 'day' };
  for (const name of Object.keys(LABELS)) {
    const value = readField(query, name) ?? '';
    if (value !== '') given[name] = value;
  }
  const result = await attempt(() => visitor.call('readUsage', { query: given }));
  const errors = result instanceof Fault ? toFieldErrors(result, LABELS) : null;
  const refusal = result instanceof Fault && errors === null ? toRefusal(result) : undefined;
  return renderPart({
    part: 'usage',
    account,
    errors: errors ?? {},
    refusal,
    body: html`${renderChoices(given, errors ?? {})}
${!(result instanceof Fault) && renderResult(result)}`,
  });
}

function renderChoices(given: Readonly<Record<string, string>>, errors: FieldErrors): Html {
  // A date field cannot show a text that is not a date.
  const date = (name: 'from' | 'to') =>
    renderText(
      {
        name,
        label: LABELS[name],
        type: errors[name] === undefined ? 'date' : 'text',
        value: given[name],
        maxlength: 40,
      },
      errors,
    );
  return html`<form method="get" action="${PATH}" class="card stack">
<div class="fields">
${renderSelect({ name: 'interval', label: LABELS.interval, options: INTERVALS, value: given.interval }, errors)}
${date('from')}
${date('to')}
</div>
<p class="actions"><button class="quiet">Show</button>${
    (given.from !== undefined || given.to !== undefined) && html`<a class="tap" href="${PATH}">Last 30 days</a>`
  }<a class="tap" href="${PATH}?interval=month">Last 12 months</a></p>
</form>`;
}

function renderResult(usage: Output<Operations['readUsage']>): Html {
  return html`${usage.history !== undefined && renderHistory(usage.history, usage)}
<section class="card stack" aria-labelledby="now-title"><h2 id="now-title">In use now</h2>
${renderMeters(usage)}</section>`;
}
