import { type Cadence, periodOf } from '../../../../calendar/index.ts';
import { type RuleOperator, VISIBILITIES, type Visibility } from '../../../../contract/index.ts';
import { levelsOf } from '../../../../wording/index.ts';
import { formatShare, periodFormat, valueFormat } from '../../format.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { findReadings, readNumber } from '../../read-number.ts';
import { renderSelect, renderText } from '../fields.ts';
import { type Forecast, forecastPath } from './action-visit.ts';

/** The conditions that a question can have, as the form words them. */
export const CONDITIONS: Readonly<Record<RuleOperator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** A script shows the same words as soon as the value cannot be read. */
const VALUE_NEEDED = 'Value: enter a number, such as 120.5.';

/** The fields of the form as they were entered. */
export interface EnteredQuestion {
  readonly op: string;
  readonly threshold: string;
  readonly step: string;
  readonly visibility: string;
}

/** A question that the form describes. */
export interface ChosenQuestion {
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly step: number;
  readonly visibility: Visibility;
}

export function readEntered(form: unknown): EnteredQuestion {
  const read = (name: string) => readField(form, name) ?? '';
  return { op: read('op'), threshold: read('threshold'), step: read('step'), visibility: read('visibility') };
}

/** Returns the question that was entered, or the error of each field. */
export function checkQuestion(
  entered: EnteredQuestion,
  forecast: Forecast,
): { readonly question: ChosenQuestion } | { readonly errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const op = (Object.keys(CONDITIONS) as RuleOperator[]).find((one) => one === entered.op);
  const threshold = readNumber(entered.threshold) ?? Number.NaN;
  const step = Number(entered.step);
  const visibility = visibilitiesOf(forecast).find((one) => one === entered.visibility);
  if (op === undefined) errors.op = 'Condition: choose one of the list.';
  if (!Number.isFinite(threshold)) errors.threshold = VALUE_NEEDED;
  if (!Number.isInteger(step) || step < 1 || step > forecast.predictions.length)
    errors.step = 'Period: choose one of the list.';
  if (visibility === undefined) errors.visibility = 'Visible to: choose one of the list.';
  if (errors.threshold === undefined && errors.step === undefined) {
    const advice = findDoubt(entered.threshold, threshold, forecast.predictions[step - 1]?.quantiles ?? {});
    if (advice !== null) errors.threshold = `Value: ${advice}`;
  }
  return op !== undefined && visibility !== undefined && Object.keys(errors).length === 0
    ? { question: { op, threshold, step, visibility } }
    : { errors };
}

/**
 * Returns how to write a value with two readings, such as 22.500, if only the other one is near the forecast: a question
 * cannot be changed afterwards.
 */
function findDoubt(text: string, read: number, quantiles: Readonly<Record<string, number>>): string | null {
  const readings = findReadings(text);
  if (readings === null) return null;
  const [low, high] = [Math.min(...Object.values(quantiles)), Math.max(...Object.values(quantiles))];
  const isNear = (value: number) => value >= 2 * low - high && value <= 2 * high - low;
  const other = read === readings.whole ? readings.decimal : readings.whole;
  return isNear(other) && !isNear(read) ? readings.advice : null;
}

/** A question in a workspace needs a forecast that the workspace sees. */
function visibilitiesOf({ workspace_id, visibility }: Forecast): readonly Visibility[] {
  const inWorkspace = workspace_id !== null && visibility !== 'private';
  return VISIBILITIES.filter((one) => one !== 'workspace' || inWorkspace);
}

/** Returns the steps whose outcome is not known yet, by the same rule as the operation that creates questions. */
export function openSteps({ predictions, settings }: Pick<Forecast, 'predictions' | 'settings'>, now: Date): number[] {
  const { frequency, series_kind: kind, hours } = settings;
  const cadence = { frequency, kind, hours: hours ?? undefined } as Cadence;
  const isOpen = (timestamp: string) => periodOf(cadence, Date.parse(timestamp)).knownFrom > now.getTime();
  return predictions.flatMap(({ timestamp }, index) => (isOpen(timestamp) ? [index + 1] : []));
}

/** Why no question can be asked from a forecast without an open step. */
export const ALL_ENDED =
  'Every period of this forecast has ended, and a question whose answer is known is not a forecast. Newer rows are needed first: a new forecast of the same rows ends in the same periods.';

/** Returns the name of the period of a step. @example formatStep(forecast, 2) // March 2026 */
export function formatStep({ predictions, settings }: Forecast, step: number): string {
  const format = periodFormat(settings.frequency as Parameters<typeof periodFormat>[0]);
  return format(new Date(predictions[step - 1]?.timestamp ?? ''));
}

const VISIBILITY_WORDS: Readonly<Record<Visibility, string>> = {
  private: 'Only me',
  workspace: 'The members of the workspace',
  public: 'Everyone: it is listed for all accounts and has a public page',
};

interface FormOptions {
  readonly steps: readonly number[];
  readonly entered: EnteredQuestion;
  readonly errors: FieldErrors;
  /** Whether the visitor may ask for the members of the workspace. */
  readonly canShare: boolean;
  /** The fan with the threshold, if the fields can be read. */
  readonly picker: Html | null;
}

/** Renders the form that asks whether the value of a period will be above or below a threshold. */
export function renderQuestionForm(forecast: Forecast, options: FormOptions): Html {
  const { steps, entered, errors, canShare, picker } = options;
  const isSuggested = entered.threshold === suggest(forecast, Number(entered.step));
  const visible = visibilitiesOf(forecast).filter((one) => one !== 'workspace' || canShare);
  return html`<form method="post" action="${forecastPath(forecast, 'questions')}" class="stack" data-pick data-value-needed="${VALUE_NEEDED}"${isSuggested && html` data-suggested`}>
<div class="fields">
${renderSelect({ name: 'step', label: 'Period', value: entered.step, options: steps.map((one) => ({ value: String(one), label: formatStep(forecast, one) })) }, errors)}
${renderSelect({ name: 'op', label: 'Condition', value: entered.op, options: Object.entries(CONDITIONS).map(([value, label]) => ({ value, label })) }, errors)}
${renderText({ name: 'threshold', label: 'Value', type: 'number', value: entered.threshold, term: 'threshold', maxlength: 40 }, errors)}
${renderSelect({ name: 'visibility', label: 'Visible to', value: entered.visibility, options: visible.map((one) => ({ value: one, label: VISIBILITY_WORDS[one] })) }, errors)}
</div>
<p class="hint" id="step-words">${describeStep(forecast, Number(entered.step))}</p>
<p data-look><button class="quiet" formmethod="get" formnovalidate>Show the probability</button></p>
${picker ?? html`<div id="picker"></div>`}
<p class="hint">The question cannot be changed afterwards, but its probability can be revised.</p>
<p class="actions"><button data-once="Asking…">Ask the question</button></p></form>`;
}

/** Returns what the form shows: what was entered or, for a field without a value, what is suggested. */
export function fillIn(forecast: Forecast, steps: readonly number[], form: unknown): EnteredQuestion {
  const entered = readEntered(form);
  const step = entered.step || String(steps.at(-1) ?? '');
  return {
    op: entered.op || 'gt',
    step,
    threshold: readField(form, 'threshold') ?? suggest(forecast, Number(step)),
    visibility: entered.visibility || 'private',
  };
}

/** Suggests the middle of the forecast, for which yes and no are about equally probable. */
function suggest(forecast: Forecast, step: number): string {
  const middle = middleOf(forecast, step);
  return middle === null ? '' : String(Number(middle.toPrecision(5)));
}

function middleOf({ predictions }: Forecast, step: number): number | null {
  const { median } = levelsOf(predictions);
  return (median === null ? undefined : predictions[step - 1]?.quantiles[median]) ?? null;
}

/** Describes what the forecast states about a step, so that a threshold can be chosen. */
function describeStep(forecast: Forecast, step: number | undefined): string {
  const { predictions } = forecast;
  const prediction = predictions[(step ?? 0) - 1];
  const { median, interval } = levelsOf(predictions);
  if (prediction === undefined || median === null)
    return 'Any number. Quantiles beyond the outermost one are estimated.';
  const { quantiles } = prediction;
  const format = valueFormat(Object.values(quantiles));
  const period = formatStep(forecast, step ?? 0);
  const range =
    interval === null
      ? ''
      : ` and its ${formatShare(interval.share)} range is ${format(Number(quantiles[interval.low]))} to ${format(Number(quantiles[interval.high]))}`;
  return `For ${period} the middle of the forecast is ${format(Number(quantiles[median]))}${range}.`;
}
