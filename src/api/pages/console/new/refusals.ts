import { type Fault, ForecastRequestBody } from '../../../../contract/index.ts';
import { formatInteger } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { WEIGHT } from './choices.ts';

/** What the errors of a form depend on besides the fault. */
export interface FormWords {
  /** The names of the models that have a field for their weight, by id. */
  readonly models: ReadonlyMap<string, string>;
  /** The largest horizon that the caller may ask for. */
  readonly maxHorizon: number;
}

const { horizon, seed, limit, settle_days } = ForecastRequestBody.shape;

/** The fields that are whole numbers, with the limits that the contract states. */
const WHOLE_NUMBERS = new Map([
  ['horizon', horizon],
  ['seed', seed.unwrap()],
  ['limit', limit.unwrap()],
  ['settle_days', settle_days.unwrap()],
]);

const NO_WORDS: FormWords = { models: new Map(), maxHorizon: horizon.maxValue ?? 0 };

/** How the form calls the fields that a fault can name. */
const LABELS: Readonly<Record<string, string>> = {
  horizon: 'Horizon',
  title: 'Title',
  mode: 'Mode',
  models: 'Models',
  weights: 'Weights',
  weight_mode: 'Weights',
  weighting_policy: 'Weighting policy',
  quantiles: 'Quantiles',
  transform: 'Transform',
  cutoff: 'Cutoff',
  as_known_at_cutoff: 'Values as known then',
  settle_days: 'Days until a value is final',
  limit: 'Rows',
  seed: 'Seed',
  workspace_id: 'Workspace',
  visibility: 'Visibility',
  timeframe: 'Interval',
  value_field: 'Value',
  adjustment: 'Adjustment',
  session: 'Hours',
  price_side: 'Price side',
};

/** The fields of a series that the form can change, by the path in the fault. */
const SERIES_FIELD = /^source\.(timeframe|value_field|adjustment|session|price_side)$/;
const DIMENSION = /^source\.dimensions(?:\.|\[")(.+?)(?:"\])?$/;

const NAMES = [...Object.keys(LABELS), 'source'].join('|');
const SENTENCE = new RegExp(`(?:^|(?<=\\. ))(${NAMES})((?:[.[][^:\\s]*)?): `, 'g');

/**
 * Returns the errors of fields that a fault names, by the id of the field in the form. A fault can name several fields:
 * `horizon: must be at least 1. seed: must be at least 0.`
 *
 * @returns null if the fault is not about a field of the form
 */
export function toRefusals({ message, status }: Fault, words: FormWords = NO_WORDS): FieldErrors | null {
  if (status === 429 || status >= 500) return null;
  const found = [...message.matchAll(SENTENCE)];
  if (found[0]?.index !== 0) return null;
  const errors: Record<string, string> = {};
  for (const [index, match] of found.entries()) {
    const [prefix, name = '', path = ''] = match;
    const text = message.slice(match.index + prefix.length, found[index + 1]?.index).trim();
    const weighted = name === 'weights' ? findWeighted(path, text) : undefined;
    const model = weighted === undefined ? undefined : words.models.get(weighted);
    if (model !== undefined) errors[`${WEIGHT}${weighted}`] ??= `Weight of ${model} ${WEIGHT_RULE}`;
    else {
      const field = fieldOf(name, path);
      errors[field] ??= isLongList(field, text) ? CHOOSE : label(labelOf(field), inPlainWords(field, text, words));
    }
  }
  return errors;
}

const WEIGHT_RULE = 'must be a number that is 0 or more, such as 1.5.';

/** Returns the id of the model whose weight was refused. */
function findWeighted(path: string, text: string): string | undefined {
  const [, plain, quoted] = /^(?:\.(.+)|\["(.+)"\])$/.exec(path) ?? [];
  return plain ?? quoted ?? /^of '([^']+)' /.exec(text)?.[1];
}

function fieldOf(name: string, path: string): string {
  if (name !== 'source') return name === 'weight_mode' ? 'weights' : name;
  const dimension = DIMENSION.exec(`${name}${path}`)?.[1];
  return dimension === undefined ? (SERIES_FIELD.exec(`${name}${path}`)?.[1] ?? '') : `dim.${dimension}`;
}

const CHOOSE = 'Choose one of the values on offer.';

/** The form offers the values of a dimension. A fault that lists all of them would hide the form. */
function isLongList(field: string, text: string): boolean {
  return field.startsWith('dim.') && /^(is required|must be one of)/.test(text) && text.length > 80;
}

function labelOf(field: string): string | undefined {
  return field.startsWith('dim.') ? 'This choice' : LABELS[field];
}

/** Some faults continue the name of the field as a sentence, others begin their own. */
function label(name: string | undefined, text: string): string {
  if (name === undefined) return capitalize(text);
  return /^(must|is|are|cannot|has|may|of|require|requires|follows)\b/.test(text)
    ? `${name} ${text}`
    : `${name}: ${text}`;
}

function inPlainWords(field: string, text: string, { maxHorizon }: FormWords): string {
  const limits = WHOLE_NUMBERS.get(field);
  // The plan of the caller can allow less than the contract.
  if (field === 'horizon' && text.startsWith('must be at most')) return `your plan allows at most ${maxHorizon}.`;
  if (limits !== undefined && /^must be (of the type|at least|at most)/.test(text)) {
    const max = field === 'horizon' ? maxHorizon : limits.maxValue;
    return `must be a whole number from ${formatInteger(limits.minValue ?? 0)} to ${formatInteger(max ?? 0)}.`;
  }
  return text.replace('be of the type number', 'be a number').replace('be of the type int', 'be a whole number');
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
