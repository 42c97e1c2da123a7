import { type Frequency, isFrequency, parseTimeframe } from '../../../../calendar/index.ts';
import { Fault, type Operations, type Output, type PublicReference } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import type { Visitor } from '../visitor.ts';
import type { PageChoices } from './page-choices.ts';
import { readRows, type SeriesRows } from './read-rows.ts';
import { settleRefused, settleSource } from './settings.ts';

export type Description = Output<Operations['describeSeries']>;

/** Everything that the page of a series shows. */
export interface SeriesView {
  /** The source with the choices that the page made, such as the first of several value fields. */
  readonly source: PublicReference;
  readonly description: Description;
  readonly choices: PageChoices;
  /** Null if dimensions are still to be chosen, or the rows could not be read. */
  readonly rows: SeriesRows | null;
  /** Why the rows, or the description with all choices, could not be read. */
  readonly fault: Fault | null;
  /** The required dimensions without a choice. */
  readonly missing: Description['dimensions'];
  /** Errors of the fields of the form, by their names there. */
  readonly errors: FieldErrors;
}

/**
 * Reads what the page of a series shows. A fault that concerns a choice, or the rows alone, is a part of the page; any
 * other is thrown.
 */
export async function readSeriesView(visitor: Visitor, named: object, choices: PageChoices): Promise<SeriesView> {
  const settled = settleSource(named);
  const { described, description, errors: wrong, fault } = await describe(visitor, settled.source);
  const errors = { ...settled.errors, ...wrong, ...valueError(described as PublicReference, description) };
  const source = withDefaults(described as PublicReference, description);
  const chosen = source.type === 'economic_series' ? (source.dimensions ?? {}) : {};
  const isChosen = ({ field }: { field: string }) => Object.hasOwn(chosen, field);
  const missing =
    source.type === 'economic_series' ? description.dimensions.filter((one) => one.required && !isChosen(one)) : [];
  const view = { source, description, choices, missing, errors: { ...choices.errors, ...errors } };
  if (fault !== null || missing.length > 0) return { ...view, rows: null, fault };
  try {
    return { ...view, rows: await readRows(visitor, source, choices), fault: null };
  } catch (error) {
    const found = requireShown(error);
    return { ...view, rows: null, fault: found, errors: { ...view.errors, ...dimensionError(found) } };
  }
}

interface Described {
  /** The source that was described, without settings that were refused. */
  readonly described: object;
  readonly description: Description;
  readonly errors: FieldErrors;
  /** The fault of a dimension, without which no row can be read. */
  readonly fault: Fault | null;
}

/**
 * Describes a series. If a setting or a dimension has a wrong value, describes it without this choice, so that others can
 * be picked.
 */
async function describe(visitor: Visitor, source: object): Promise<Described> {
  const read = (body: object) => visitor.call('describeSeries', { body: { source: body } });
  try {
    return { described: source, description: await read(source), errors: {}, fault: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const settled = settleRefused(source, error);
    if (settled !== null) {
      const again = await describe(visitor, settled.source);
      return { ...again, errors: { ...settled.errors, ...again.errors } };
    }
    const errors = dimensionError(error);
    const { dimensions: _, ...whole } = source as { dimensions?: unknown };
    if (Object.keys(errors).length === 0) throw error;
    return { described: source, description: await read(whole), errors, fault: error };
  }
}

/** Returns the error of the field of a dimension, if the fault names one. */
function dimensionError({ code, message }: Fault): FieldErrors {
  if (code !== 'INVALID_REQUEST') return {};
  const [, field, problem = ''] = /^source\.dimensions\.([^:]+): (.+)$/s.exec(message) ?? [];
  return field === undefined ? {} : { [`dim.${field}`]: `${field}: ${problem}` };
}

/** A limit or maintenance concerns the whole page, and so does an error of the service itself. */
function requireShown(error: unknown): Fault {
  if (!(error instanceof Fault)) throw error;
  const isElsewhere = error.status === 401 || error.status === 429 || error.status === 503 || error.status === 500;
  if (isElsewhere) throw error;
  return error;
}

/** Returns the error of a value field that the series does not have. */
function valueError({ value_field: field }: PublicReference, { values }: Description): FieldErrors {
  if (field === undefined || values.some((value) => value.field === field)) return {};
  return { value_field: `Value: must be one of ${values.map((value) => value.field).join(', ')}.` };
}

/**
 * Returns a source that can be read. Of an economic series with several value fields, a line shows the first one; bars
 * are candles unless one of their values is chosen.
 */
function withDefaults(source: PublicReference, { values }: Description): PublicReference {
  const isKnown = values.some(({ field }) => field === source.value_field);
  if (source.type === 'warehouse_table' || isKnown) return source;
  const { value_field: _, ...whole } = source;
  const [first] = values;
  const needsValue = source.type === 'economic_series' && values.length > 1;
  return needsValue && first !== undefined ? { ...whole, value_field: first.field } : whole;
}

/** Returns the frequency of the rows; null if it is none of ours. */
export function frequencyOf({ rows, description }: Pick<SeriesView, 'rows' | 'description'>): Frequency | null {
  const name = rows?.frequency ?? description.frequency;
  return isFrequency(name) ? name : parseTimeframe(name);
}

const INTRADAY: readonly (Frequency | null)[] = ['1min', '5min', '15min', '30min', '1h', '4h'];

/** Whether rows have a time of day, so that the zone of the reader matters. */
export function isIntraday(view: Pick<SeriesView, 'rows' | 'description'>): boolean {
  return INTRADAY.includes(frequencyOf(view));
}

/** Whether the page shows candles: bars, unless one of their values is chosen. */
export function hasCandles({ source }: Pick<SeriesView, 'source'>): boolean {
  return source.type === 'market' && source.value_field === undefined;
}

/** Returns the column that a line shows. */
export function lineColumn({ source, rows }: Pick<SeriesView, 'source' | 'rows'>): readonly number[] {
  if (rows === null) return [];
  if (source.type !== 'market') return rows.columns.value ?? [];
  return rows.columns[source.value_field ?? 'close'] ?? [];
}

/** Returns the units of the line, and its name. */
export function describeValue({ source, description }: Pick<SeriesView, 'source' | 'description'>) {
  const field = source.value_field ?? (source.type === 'market' ? 'close' : undefined);
  const value = description.values.find((one) => one.field === field) ?? description.values[0];
  return { label: value?.label ?? 'Value', units: value?.units || description.units };
}

/** Returns the rows of the range that the address chooses, as positions. */
export function shownRows({
  rows,
  choices,
}: Pick<SeriesView, 'rows' | 'choices'>): readonly [from: number, to: number] {
  const times = rows?.timestamps ?? [];
  const { from, to } = choices;
  const start = from === null ? 0 : times.findIndex((time) => time >= from);
  const end = to === null ? times.length : times.findIndex((time) => time >= to);
  const last = end < 0 ? times.length : end;
  return start < 0 ? [last, last] : [Math.min(start, last), last];
}
