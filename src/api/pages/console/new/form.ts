import { isFrequency } from '../../../../calendar/index.ts';
import { drawSparkline } from '../../../../charts/index.ts';
import type { Operations, Output } from '../../../../contract/index.ts';
import { type HorizonWords, wordHorizon } from '../../../../wording/index.ts';
import { formatDay, formatInteger, periodFormat } from '../../format.ts';
import { errorSummary, hidden } from '../../forms.ts';
import { Html, html } from '../../html.ts';
import { withReturnTo } from '../../visit.ts';
import { renderCheck, renderError, renderText } from '../fields.ts';
import { fileAddress, isFileSource, seriesAddress } from '../source-address.ts';
import type { Visitor } from '../visitor.ts';
import { describeLimits, type Models, renderAdvanced } from './advanced.ts';
import { type Choices, SUGGESTED_TITLE } from './choices.ts';
import { type Cost, renderCost } from './cost.ts';
import { renderPlace, type Workspace } from './place.ts';
import { renderSeriesFields } from './series-fields.ts';

type Description = Output<Operations['describeSeries']>;

/** Everything that the form shows. */
export interface FormView {
  readonly visitor: Visitor;
  readonly choices: Choices & { readonly source: object };
  readonly described: Description;
  /** The last values of the series; empty if none are stored. */
  readonly preview: readonly number[];
  readonly models: Models;
  readonly workspaces: readonly Workspace[];
  readonly cost: Cost;
  /** The title of a forecast without another one; empty if there is none. */
  readonly suggestedTitle: string;
  /** Makes a repeated submission lead to the same forecast. */
  readonly key: string;
  readonly address: string;
  /** Whether the visitor tried to create the forecast, so that errors get the focus. */
  readonly isSubmitted: boolean;
  /** What to tell a newcomer. */
  readonly hint: Html | null;
}

/** Returns the words for the horizon of a described series. */
export function horizonOf(
  { frequency, reporting_period: period }: Description,
  models: Models,
): HorizonWords & { max: number } {
  const max = models.horizon[frequency] ?? Math.min(...Object.values(models.horizon));
  return { ...wordHorizon(frequency, period, max), max };
}

/** Renders the page of the form. */
export function renderForm(view: FormView): Html {
  const { choices, described, models, workspaces, cost, visitor, address, isSubmitted } = view;
  const words = horizonOf(described, models);
  const series = renderSeriesFields(choices.source, described, cost.errors);
  return html`${renderHead(view)}
${view.hint}
${isSubmitted && errorSummary(summaryOf(cost))}
<form class="aside new" method="get" action="/new" novalidate data-new="${described.reporting_period}">
${series.kept}<button hidden>Show the cost</button>
<div class="flow">
<section class="card stack" aria-labelledby="what">
<h2 id="what">How far ahead?</h2>
${renderHorizon(view, words)}
${renderMode(view)}
${renderText({ name: 'title', label: 'Title', hint: 'Change it as you like. Without one, the forecast is named after the id of its series.', value: choices.fields.title, maxlength: 200 }, cost.errors)}
${hidden(SUGGESTED_TITLE, view.suggestedTitle)}
</section>
<section class="card stack" aria-labelledby="series">
<h2 id="series">The series</h2>
${series.shown}
${renderFacts(view)}
</section>
${renderPlace({ choices, errors: cost.errors, workspaces, address, isGuest: visitor.principal.kind === 'guest' })}
${renderAdvanced({ choices, errors: cost.errors, models, hasVintages: described.vintages === true })}
</div>
<aside class="card stack buy" aria-label="Cost">
${renderCost(cost, { visitor, address, formatPeriods: words.format })}
<p class="away" role="status" data-news></p>
<div class="stack">
<button class="whole" name="key" value="${view.key}" formmethod="post" data-create>Forecast</button>
<button class="whole quiet" data-estimate>Show the cost</button>
</div>
<p class="hint">The rows are frozen, the forecast runs in the background, and its result can be checked later.</p>
</aside>
</form>`;
}

/** Returns the errors for the summary: those of fields, or the problem of the whole form. */
function summaryOf({ errors, problem }: Cost): Readonly<Record<string, string>> {
  return problem === null ? errors : { cost: problem.message };
}

const PLACES: Readonly<Record<string, string>> = {
  bundled: 'the data that come with Almanac',
  workspace: 'a file of a workspace',
};

function renderHead({ described, choices, preview }: FormView): Html {
  const { title, units, provider } = described;
  const series = isFileSource(choices.source)
    ? fileAddress(choices.source)
    : seriesAddress(choices.source as Parameters<typeof seriesAddress>[0]);
  return html`<div class="page-head"><div>
<p class="eyebrow">New forecast</p>
<h1>${title}</h1>
<p class="soft">${[units, `from ${PLACES[provider] ?? provider}`].filter(Boolean).join(', ')}. <a href="${series}">Look at the series</a></p>
</div>${
    preview.length > 1 &&
    html`<div class="preview">${new Html(drawSparkline({ history: preview }, { width: 220, height: 56, label: `The last values of ${title}` }))}</div>`
  }</div>`;
}

function renderHorizon(
  { choices, models, cost, address, visitor }: FormView,
  words: HorizonWords & { max: number },
): Html {
  const { horizon } = choices.fields;
  const hint = `The number of ${words.periods} to forecast. ${describeLimits(models.plan, words.max, words.periods)}`;
  return html`${renderText({ name: 'horizon', label: `Horizon in ${words.periods}`, term: 'horizon', hint, value: horizon, type: 'number', maxlength: 6 }, cost.errors)}
<div class="segments" role="group" aria-label="Suggested horizons">${words.suggested.map(
    (count) =>
      html`<button name="suggest" value="${count}" aria-pressed="${String(count) === horizon ? 'true' : 'false'}">${words.format(count)}</button>`,
  )}</div>${
    visitor.principal.kind === 'guest' &&
    words.max < LARGEST_HORIZON &&
    html`<p class="hint">With an account you can forecast up to ${formatInteger(LARGEST_HORIZON)}. <a href="${withReturnTo('/auth/sign-in', address)}">Sign in</a></p>`
  }`;
}

const MODES = [
  ['full', 'Full', 'Tests the models on the past, and weighs and calibrates them by the result.'],
  ['fast', 'Fast', 'A few models without these tests: sooner and for fewer credits, with less to trust.'],
] as const;

function renderMode({ choices, cost }: FormView): Html {
  const chosen = choices.fields.mode === 'fast' ? 'fast' : 'full';
  return html`<fieldset id="mode" data-field="mode"><legend>Mode</legend>
<div class="choices">${MODES.map(([value, label, hint]) =>
    renderCheck({ name: 'mode', label, hint, value, type: 'radio', checked: value === chosen }),
  )}</div>
${renderError('mode', cost.errors)}
</fieldset>`;
}

/** The largest horizon of any plan, as the contract states it. */
const LARGEST_HORIZON = 365;

function renderFacts({ described }: FormView): Html {
  const { span, rows, frequency, license, publisher } = described;
  const format = isFrequency(frequency) ? periodFormat(frequency) : formatDay;
  return html`<dl class="facts small">
${span !== null && html`<div><dt>Known</dt><dd>${format(new Date(span.start))} to ${format(new Date(span.end))}${rows !== null && `, ${formatInteger(rows)} rows`}</dd></div>`}
<div><dt>Published by</dt><dd>${publisher}</dd></div>
<div><dt>License</dt><dd>${license.name}</dd></div>
</dl>`;
}
