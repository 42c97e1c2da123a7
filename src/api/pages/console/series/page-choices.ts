import { HISTORY_LIMITS, MAX_OBSERVATIONS } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';

/** What the address of the page chooses besides the source: which rows are read, and how they are shown. */
export interface PageChoices {
  /** The range that is shown, in milliseconds since 1970; the end is exclusive. Null: from the first, to the last row. */
  readonly from: number | null;
  readonly to: number | null;
  /** Maximum number of rows that are read, the latest ones; null: the default of the kind. */
  readonly limit: number | null;
  readonly isLog: boolean;
  /** Shows exactly the rows of this snapshot. */
  readonly snapshot: string | null;
  /** The choices as the address has them, for links and for fields that show them again. */
  readonly texts: Readonly<Record<ChoiceName, string>>;
  readonly errors: FieldErrors;
}

const NAMES = ['from', 'to', 'limit', 'scale', 'snapshot'] as const;
export type ChoiceName = (typeof NAMES)[number];

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;

/** Reads the choices of an address. What cannot be read is left out, and its error names the field. */
export function readChoices(query: Readonly<Record<string, unknown>>, isMarket: boolean): PageChoices {
  const errors: Record<string, string> = {};
  const texts = Object.fromEntries(NAMES.map((name) => [name, readText(query[name], name, errors)])) as Texts;
  const from = readTime(texts.from, 'from', 0, errors);
  const to = readTime(texts.to, 'to', DAY_MS, errors);
  const isEmpty = from !== null && to !== null && from >= to;
  if (isEmpty) errors.to = 'To: must be after From.';
  if (texts.scale !== '' && texts.scale !== 'log' && texts.scale !== 'linear')
    errors.scale = 'Scale: must be linear or log.';
  return {
    from: isEmpty ? null : from,
    to: isEmpty ? null : to,
    limit: readLimit(texts.limit, isMarket, errors),
    isLog: texts.scale === 'log',
    snapshot: texts.snapshot === '' ? null : texts.snapshot,
    texts,
    errors,
  };
}

type Texts = Record<ChoiceName, string>;

function readText(value: unknown, name: ChoiceName, errors: Record<string, string>): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && value.length <= 200) return value.trim();
  errors[name] = `${labelOf(name)}: must be given once, as a short text.`;
  return '';
}

function labelOf(name: ChoiceName): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** @param dayLength added to a date, which as an end includes its whole day */
function readTime(text: string, name: 'from' | 'to', dayLength: number, errors: Record<string, string>): number | null {
  if (text === '') return null;
  const time = DATE.test(text) ? Date.parse(text) + dayLength : INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  errors[name] = `${labelOf(name)}: must be a date such as 2024-03-31, or an instant such as 2024-03-31T14:30Z.`;
  return null;
}

function readLimit(text: string, isMarket: boolean, errors: Record<string, string>): number | null {
  if (text === '') return null;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (isMarket ? (HISTORY_LIMITS as readonly number[]).includes(limit) : limit >= 1 && limit <= MAX_OBSERVATIONS)
    return limit;
  const rule = isMarket ? `one of ${HISTORY_LIMITS.join(', ')}` : `a whole number from 1 to ${MAX_OBSERVATIONS}`;
  errors.limit = `Rows: must be ${rule}.`;
  return null;
}

/** Returns the parameters of the choices with some of them changed. Those at their default are left out. */
export function choiceParams(
  { texts }: Pick<PageChoices, 'texts'>,
  changes: Partial<Record<ChoiceName, string>> = {},
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...texts, ...changes }).filter(([, text]) => text !== ''));
}
