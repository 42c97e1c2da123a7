import type { Operations, Output } from '../../../../contract/index.ts';
import { Fault } from '../../../../contract/index.ts';
import { nameModel } from '../../../../wording/index.ts';
import { formatCount, formatDay, formatInteger } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { attempt } from '../refusals.ts';
import { renderNote, renderProblem } from '../states.ts';
import { renderMeaning, renderTerm } from '../terms.ts';
import type { Visitor } from '../visitor.ts';
import { type BusyForecast, renderNoCapacity } from './capacity.ts';
import { type Choices, toRequest } from './choices.ts';
import { type FormWords, toRefusals } from './refusals.ts';

type Estimate = Output<Operations['estimateForecast']>;

/** What a forecast would cost, or why it cannot be made now. */
export interface Cost {
  readonly estimate: Estimate | null;
  /** Why no test on the past is needed; absent if one is. */
  readonly untested?: string | undefined;
  /** The fault that is not about a field. */
  readonly problem: Fault | null;
  /** The errors of fields. */
  readonly errors: FieldErrors;
  /** What takes the slots of the visitor, if none is free. */
  readonly busy: readonly BusyForecast[];
}

/** Reads what the words of a refusal depend on; undefined if the series is what was refused. */
type ReadWords = () => Promise<FormWords | undefined>;

/**
 * Reads the cost of a forecast with these choices.
 */
export async function readCost(visitor: Visitor, choices: Choices, readWords: ReadWords): Promise<Cost> {
  const body = toRequest(choices);
  const result = await attempt(() => visitor.call('estimateForecast', { body }));
  return result instanceof Fault
    ? explainRefusal(visitor, result, readWords)
    : { ...NOTHING, estimate: result, untested: describeUntested(body) };
}

/** Returns why a request needs no test on the past; undefined if it needs one. */
export function describeUntested(body: {
  readonly mode?: unknown;
  readonly weight_mode?: unknown;
}): string | undefined {
  if (body.mode === 'fast') return 'the mode is fast';
  return body.weight_mode === 'manual' ? 'the weights are given' : undefined;
}

const NOTHING: Cost = { estimate: null, problem: null, errors: {}, busy: [] };

/** Returns what a refused estimate or creation tells the visitor. */
export async function explainRefusal(
  visitor: Visitor,
  fault: Fault,
  readWords: ReadWords = async () => undefined,
): Promise<Cost> {
  if (toRefusals(fault) !== null) return { ...NOTHING, errors: toRefusals(fault, await readWords()) ?? {} };
  return { ...NOTHING, problem: fault, busy: fault.code === 'QUOTA_EXCEEDED' ? await listBusy(visitor) : [] };
}

/** Lists the forecasts that are queued or running, which take the slots of the visitor. */
async function listBusy(visitor: Visitor): Promise<BusyForecast[]> {
  const lists = [];
  for (const status of ['running', 'queued'] as const) {
    const list = await attempt(() => visitor.call('listForecasts', { query: { status, limit: 5 } }));
    if (!(list instanceof Fault)) lists.push(...list.forecasts);
  }
  return lists;
}

interface CostOptions {
  readonly visitor: Visitor;
  /** The address of the form with its choices, at which to continue. */
  readonly address: string;
  readonly formatPeriods: (count: number) => string;
}

/** Renders the cost, or what prevents the forecast. A script replaces this element when a choice changes. */
export function renderCost({ estimate, untested, problem, errors, busy }: Cost, options: CostOptions): Html {
  return html`<div id="cost" class="stack">
<h2>What it costs</h2>
${
  estimate !== null
    ? renderEstimate(estimate, untested, options)
    : problem?.code === 'QUOTA_EXCEEDED'
      ? renderNoCapacity(problem, busy, options)
      : problem !== null
        ? renderProblem(problem, { retry: options.address, level: 3 })
        : renderNote('warning', describeErrors(errors), 'The cost is not known yet')
}
</div>`;
}

function describeErrors(errors: FieldErrors): string {
  const [first = 'A field is not valid.'] = Object.values(errors);
  return `${first} Correct it to see the cost.`;
}

function renderEstimate(
  { credits, credits_left: left, rows, folds, models, not_fitted_models: notFitted, season, warnings }: Estimate,
  untested: string | undefined,
  { formatPeriods }: CostOptions,
): Html {
  return html`<p class="figure">${formatInteger(credits)} <small>${credits === 1 ? 'credit' : 'credits'}${renderMeaning('credit')}</small></p>
<p class="tight soft">${describeLeft(credits, left)}</p>
<dl class="facts small">
<div><dt>History</dt><dd>${formatCount(rows, 'row')}</dd></div>
<div><dt>Models</dt><dd>${formatInteger(models.length)}: ${models.map(nameModel).join(', ')}</dd></div>
${notFitted && html`<div><dt>Not fitted</dt><dd>${notFitted.map(nameModel).join(', ')}: no help on such series</dd></div>`}
<div><dt>${renderTerm('fold', 'Tests on the past')}</dt><dd>${describeFolds(folds, rows, untested)}</dd></div>
<div><dt>Season found</dt><dd>${season > 1 ? `every ${formatPeriods(season)}` : 'none'}</dd></div>
</dl>
${
  warnings.length > 0 &&
  html`<div class="note warning"><p><strong>Good to know</strong></p>
<ul class="ticks">${warnings.map((warning) => html`<li>${inWords(warning)}</li>`)}</ul></div>`
}`;
}

function describeFolds(folds: number, rows: number, untested: string | undefined): string {
  if (folds > 0) return `up to ${formatCount(folds, 'fold')}`;
  if (untested !== undefined) return `none, ${untested}`;
  return `none, ${formatCount(rows, 'row')} ${rows === 1 ? 'is' : 'are'} too few`;
}

function describeLeft(credits: number, left: number | null): string {
  if (left === null) return 'No limit on your credits applies to this forecast.';
  return `You have ${formatCount(left, 'credit')} left this month, and ${formatInteger(left - credits)} after this forecast. A forecast that fails or is canceled costs nothing.`;
}

/** Returns a warning without the name of its field, and with the dates as the page writes them. */
function inWords(warning: string): string {
  const [, text = warning] = /^\w+: (.+)$/s.exec(warning) ?? [];
  const dated = text.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, (time) => formatDay(new Date(time)));
  return `${dated.charAt(0).toUpperCase()}${dated.slice(1)}`;
}
