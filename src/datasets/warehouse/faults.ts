import { Fault } from '../../contract/index.ts';

export function tableNameInvalid(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'source.table: must be local.<name> or bigquery-public-data.<dataset>.<table>. A local name has lower-case letters, digits and underscores.',
  );
}

export function projectDenied(project: string): Fault {
  return new Fault(
    'SOURCE_DENIED',
    `source.table: the project ${JSON.stringify(project)} is not read. Only tables of bigquery-public-data and local tables are.`,
  );
}

export function tableNotFound(table: string): Fault {
  return new Fault(
    'NOT_FOUND',
    `source.table: no table is named ${JSON.stringify(table)}. Use the search to find tables.`,
  );
}

export function publicTablesNotConfigured(): Fault {
  return new Fault(
    'UNPROCESSABLE',
    'source.table: this service does not read public tables. Its operator can set ALMANAC_BIGQUERY_PROJECT and ALMANAC_BIGQUERY_CREDENTIALS.',
  );
}

export function emptySeries(): Fault {
  return new Fault('UNPROCESSABLE', 'cutoff: no period of the series has ended, so there is no last observation.');
}

/** Formats names of columns for a message, those that can be sent. */
function formatColumns(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

/**
 * @param field the field of the source that names the column
 * @param fitting the columns that fit, the nearest first; empty if there are none
 * @param rule what the column must be
 */
export function columnUnknown(field: string, name: string, fitting: readonly string[], rule: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.${field}: the table has no column ${JSON.stringify(name)}. ${describeFitting(fitting, rule)}`,
  );
}

/** @param type the type of the column, as its engine spells it */
export function columnUnfit(
  field: string,
  { name, type }: { readonly name: string; readonly type: string },
  fitting: readonly string[],
  rule: string,
): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.${field}: the column ${JSON.stringify(name)} has the type ${type.slice(0, 60)}. ${describeFitting(fitting, rule)}`,
  );
}

function describeFitting(fitting: readonly string[], rule: string): string {
  if (fitting.length === 0) return `It must be ${rule}, and the table has none.`;
  return `It must be ${rule}: ${formatColumns(fitting)}.`;
}

export function columnAmbiguous(field: string, name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.${field}: the column ${JSON.stringify(name)} cannot be read, because names of several columns of the table differ only in case.`,
  );
}

export function timeFormatRequired(name: string, formats: readonly string[]): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.time_format: is required, because the column ${JSON.stringify(name)} contains integers. Choose one of ${formats.join(', ')}.`,
  );
}

export function timeFormatRefused(name: string, kind: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.time_format: is only for integers, and the column ${JSON.stringify(name)} has the kind ${kind}. Leave it out.`,
  );
}

export function filterRepeated(index: number, name: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.filters[${index}].field: another filter names the column ${JSON.stringify(name)}. Put all values into one filter.`,
  );
}

/** @param rule what values of the column are, as the predicate of a sentence */
export function filterValueInvalid(filter: number, value: number, rule: string): Fault {
  return new Fault('INVALID_REQUEST', `source.filters[${filter}].values[${value}]: ${rule}.`);
}

export function instantOutOfRange(field: 'start' | 'end'): Fault {
  return new Fault('INVALID_REQUEST', `source.${field}: must be between the years 1800 and 2200.`);
}

export function endNotAfterStart(): Fault {
  return new Fault('INVALID_REQUEST', 'source.end: must be after start.');
}

/** @param noun the period, such as month */
export function noWholePeriod(noun: string): Fault {
  return new Fault(
    'INVALID_REQUEST',
    `source.end: no whole ${noun} lies between start and end. Choose a later end or a shorter frequency.`,
  );
}

export function startAfterCutoff(start: number, cutoff: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.start: no period begins at ${formatTime(start)} or later and ends by the cutoff, ${formatTime(cutoff)}. Choose an earlier start.`,
  );
}

/** How to reduce the bytes of a read. */
export const HOW_TO_READ_LESS =
  'Narrow it with start and end, or with filters on columns by which the table is partitioned or sorted; aggregate does not reduce the bytes.';

/** @param limit the most bytes that a read may take */
export function readTooLarge(estimatedBytes: number, limit: number, { isLocal = false } = {}): Fault {
  const [estimate, allowed] = [estimatedBytes, limit].map((bytes) => bytes.toLocaleString('en-US'));
  return new Fault(
    'UNPROCESSABLE',
    `source: this read would take ${estimate} bytes, and at most ${allowed} are allowed. ${HOW_TO_READ_LESS}${isLocal ? ' A CSV file is always read as a whole; its operator can convert it to Parquet.' : ''}`,
  );
}

/** @param seen the first time that is not in the format or in the calendar; null if the query did not return it */
export function timeInvalid(name: string, format: string | null, seen: string | null): Fault {
  const column = JSON.stringify(name);
  if (format === null) {
    return new Fault(
      'UNPROCESSABLE',
      `source.time_field: the column ${column} contains ${seen ?? 'times'} outside the years 1800 to 2200. Leave such rows out with start and end.`,
    );
  }
  const finding = seen === null ? 'integers that are not times' : `${seen}, which is not a time`;
  return new Fault(
    'UNPROCESSABLE',
    `source.time_field: the column ${column} contains ${finding} between the years 1800 and 2200 in the format ${format}. Choose another time_format, or leave such rows out with start and end.`,
  );
}

export function valueInfinite(name: string, time: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.value_field: the value of ${JSON.stringify(name)} at ${formatTime(time)} is infinite. Leave such rows out with start, end and filters, or choose another column.`,
  );
}

const ONE_ROW_EACH = 'Select one row for each period with filters, or combine the rows of each period with aggregate.';

export function rowsAtOneTime(time: number): Fault {
  return new Fault('UNPROCESSABLE', `source: several rows have the time ${formatTime(time)}. ${ONE_ROW_EACH}`);
}

/** @param noun the period, such as month */
export function rowsOfOnePeriod(noun: string, first: number, second: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source: the rows at ${formatTime(first)} and ${formatTime(second)} lie in the same ${noun}. ${ONE_ROW_EACH}`,
  );
}

export function periodTooEarly(noun: string, time: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source: the ${noun} of the row at ${formatTime(time)} begins before the year 1800. Leave it out with start.`,
  );
}

/** @param rule what the times of nearly all rows are, such as 00:00 UTC */
export function rowOffGrid(time: number, rule: string): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.time_field: ${formatTime(time)} is not ${rule}, as the times of nearly all other rows are. Combine the rows of each period with aggregate.`,
  );
}

/** @param steps the first steps between rows that differ, formatted */
export function noCadence(name: string, first: number, steps: readonly string[]): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source.time_field: the times of the column ${JSON.stringify(name)} have no frequency. From ${formatTime(first)} on, rows are ${steps.join(', ')} apart. Combine the rows of each period with aggregate, or select one series with filters.`,
  );
}

export function tooFewRows(count: number, min: number): Fault {
  return new Fault(
    'UNPROCESSABLE',
    `source: ${count} rows have a value, and a frequency is inferred from at least ${min}. Change start, end and filters, or set aggregate.`,
  );
}

function formatTime(time: number): string {
  return new Date(time).toISOString();
}

export function readerAccountRequired(): Fault {
  return new Fault(
    'ACCOUNT_REQUIRED',
    'source.table: tables of bigquery-public-data can be read with an account only. Sign in or send an API key.',
  );
}
