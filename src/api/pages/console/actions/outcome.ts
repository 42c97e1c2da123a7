import { Fault } from '../../../../contract/index.ts';
import { formatCount, formatMoment } from '../../format.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderCheck, renderLongText, renderText } from '../fields.ts';
import { attempt, type FieldLabels, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  type ActionView,
  forecastPath,
  nameOf,
  readActionView,
  renderActionPage,
  renderBack,
  renderNotAllowed,
} from './action-visit.ts';
import {
  type EnteredValue,
  fieldOf,
  LINES,
  type OpenPeriod,
  periodsOf,
  readValues,
  writeDate,
} from './outcome-values.ts';

/** More periods are entered as a list, into which a column of a table can be pasted. */
const MAX_FIELDS = 24;
const MAX_LINES_LENGTH = 20_000;
const END = 'end';

/** The page on which the actual values of a forecast of a file, or of rows that were sent, are entered. */
export const outcomePage: ConsoleRoute = {
  path: '/forecasts/:slug/outcome',

  get: async (visit) => showOutcome(visit, await readOutcomeView(visit)),

  async post(visit) {
    const view = await readOutcomeView(visit);
    const { values, errors } = readValues(visit.form, view.periods);
    if (Object.keys(errors).length > 0) return showOutcome(visit, view, { errors });
    if (values.length === 0)
      return showOutcome(visit, view, { refusal: { status: 400, message: 'Enter at least one value.' } });
    const skipped = findSkipped(view, values);
    if (skipped.length > 0 && readField(visit.form, END) === undefined)
      return showOutcome(visit, view, { errors: explainSkipped(view, skipped) });
    const points = values.map(({ period, value }) => ({ timestamp: period.timestamp, value }));
    const recorded = await attempt(() =>
      visit.visitor.call('recordOutcome', { params: nameOf(visit), body: { points } }),
    );
    if (recorded instanceof Fault) {
      const found = toFieldErrors(recorded, labelsOf(values));
      return showOutcome(visit, view, {
        ...(found !== null && { errors: found }),
        ...((found === null || recorded.status !== 400) && { refusal: toRefusal(recorded) }),
      });
    }
    const address = forecastPath(view.forecast);
    setNotice(visit, 'outcome_recorded', address);
    return new SeeOther(address);
  },
};

interface OutcomeView extends ActionView {
  readonly periods: readonly OpenPeriod[];
  /** The periods that are over and have no value yet. */
  readonly open: readonly OpenPeriod[];
  readonly isComplete: boolean;
}

async function readOutcomeView(visit: ConsoleVisit): Promise<OutcomeView> {
  const view = await readActionView(visit);
  const periods = periodsOf(view.forecast);
  // A member can be allowed to change a forecast of a file that it cannot read: it sees no recorded value.
  const outcome =
    view.forecast.status === 'completed'
      ? await attempt(() => visit.visitor.call('readOutcome', { params: nameOf(visit) }))
      : null;
  const isKnown = outcome !== null && !(outcome instanceof Fault) && 'rows' in outcome;
  const recorded = new Set(isKnown ? outcome.rows.map(({ step }) => step) : []);
  return {
    ...view,
    periods,
    open: periods.filter(({ step, finalAt }) => finalAt <= visit.now.getTime() && !recorded.has(step)),
    isComplete: isKnown && outcome.status === 'complete',
  };
}

/** Returns the open periods without a value, if the values contain the last one, which completes the outcome. */
function findSkipped({ open, periods }: OutcomeView, values: readonly EnteredValue[]): OpenPeriod[] {
  const entered = new Set(values.map(({ period }) => period.step));
  return entered.has(periods.length) ? open.filter(({ step }) => !entered.has(step)) : [];
}

function explainSkipped({ open }: OutcomeView, skipped: readonly OpenPeriod[]): FieldErrors {
  const first = skipped[0] as OpenPeriod;
  const field = open.length > MAX_FIELDS ? LINES : fieldOf(first);
  return {
    [field]: `${first.label}: enter its value, or check “Leave the other periods without a value”. The last period completes the outcome.`,
  };
}

/** Returns the labels of the points of a request, by their paths in a fault. */
function labelsOf(values: readonly EnteredValue[]): FieldLabels {
  return Object.fromEntries(
    values.flatMap(({ field, period }, index) =>
      ['', '.value', '.timestamp'].map((part) => [`points[${index}]${part}`, [field, period.label] as const]),
    ),
  );
}

interface Attempt {
  readonly refusal?: Refusal;
  readonly errors?: FieldErrors;
}

function showOutcome(visit: ConsoleVisit, view: OutcomeView, { refusal, errors }: Attempt = {}): ConsolePage {
  const { forecast, allowed } = view;
  if (!allowed.actions.includes('update')) {
    const text = 'Only its creator, and members of its workspace whose role allows it, can enter actual values.';
    return renderNotAllowed(forecast, 'You cannot enter actual values', text, refusal);
  }
  const closed = describeClosed(view, visit.now);
  return renderActionPage({
    title: closed === null ? 'Enter actual values' : 'There is nothing to enter',
    forecast,
    refusal,
    errors,
    body:
      closed === null
        ? renderValues(visit, view, errors)
        : html`<p>${closed}</p><p class="actions">${renderBack(forecast)}</p>`,
  });
}

/** Returns why no value can be entered now; null if one can. */
function describeClosed({ forecast, periods, open, isComplete }: OutcomeView, now: Date): string | null {
  const type = forecast.settings.source?.type ?? 'inline';
  if (forecast.status !== 'completed') return 'The forecast has no result, so there is nothing to compare values with.';
  if (type !== 'inline' && type !== 'workspace_csv')
    return 'The actual values of this forecast are read from its source. They appear on its page.';
  if (isComplete) return 'The outcome is complete. Recorded values are not changed.';
  if (open.length > 0) return null;
  const next = periods.find(({ finalAt }) => finalAt > now.getTime());
  return next === undefined
    ? 'All periods that are over have their values.'
    : `No period without a value is over yet. You can enter the value of ${next.label} from ${formatMoment(new Date(next.finalAt))} on.`;
}

function renderValues(
  { form }: ConsoleVisit,
  { forecast, periods, open }: OutcomeView,
  errors: FieldErrors = {},
): Html {
  const later = periods.filter(({ step }) => step > (open.at(-1)?.step ?? 0)).length;
  const last = open.at(-1)?.step === periods.length;
  return html`<p>What really happened is drawn over the forecast and scored. A value cannot be changed after it is recorded.</p>
${later > 0 && html`<p class="hint">${formatCount(later, 'later period')} can be entered when ${later === 1 ? 'it is' : 'they are'} over.</p>`}
<form method="post" action="${forecastPath(forecast, 'outcome')}" class="stack">
${open.length > MAX_FIELDS ? renderList(form, open, errors) : renderFields(form, open, errors)}
${
  last &&
  open.length > 1 &&
  renderCheck({
    name: END,
    label: 'Leave the other periods without a value',
    hint: 'The value of the last period completes the outcome. Periods without a value then stay without one.',
    checked: readField(form, END) !== undefined,
  })
}
<p class="actions"><button data-once="Recording…">Record the values</button>
${renderBack(forecast)}</p></form>`;
}

function renderFields(form: unknown, open: readonly OpenPeriod[], errors: FieldErrors): Html {
  return html`<p class="hint">Leave a field empty if you do not know its value yet.</p>
<div class="fields">${open.map((period) => {
    const label = html`${period.label} <small>${writeDate(period)}</small>`;
    const value = readField(form, fieldOf(period));
    return renderText({ name: fieldOf(period), label, type: 'number', maxlength: 40, value }, errors);
  })}</div>`;
}

function renderList(form: unknown, open: readonly OpenPeriod[], errors: FieldErrors): Html {
  return renderLongText(
    {
      name: LINES,
      label: 'Dates and values',
      hint: 'One period on each line: its date, a semicolon and its value, such as 2026-03-05;120.5. You can also paste two columns of a table. Lines without a value are left out.',
      value: readField(form, LINES) ?? open.map((period) => `${writeDate(period)};`).join('\n'),
      maxlength: MAX_LINES_LENGTH,
      rows: 16,
    },
    errors,
  );
}
