import { basename, extname } from 'node:path';
import type { Frequency } from '../../calendar/index.ts';
import { CSV_DATE_ORDERS, CSV_DELIMITERS, Fault, MAX_INLINE_POINTS } from '../../contract/index.ts';
import type { CollectedRows, DatedRows, UnstoredCsv } from '../../workspaces/index.ts';
import type { CommandOptions, CommandValues } from '../command.ts';
import { noMatchingRow, severalSeries } from '../failures.ts';
import { readChoice } from '../read-choice.ts';
import { type ChosenColumns, chooseColumns, type GivenColumns } from './choose-columns.ts';
import { readPairs } from './read-target.ts';

const DELIMITER_NAMES = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
const HEADERS = ['present', 'absent'] as const;
const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** The options that say how a file is read. Without them, everything is found out and stated. */
export const FILE_OPTIONS = {
  time: { type: 'string', value: 'COLUMN', help: 'the column with the times', default: 'found' },
  value: {
    type: 'string',
    value: 'COLUMN',
    help: 'the column with the values; of a series, its value field',
    default: 'found',
  },
  where: {
    type: 'string',
    value: 'COLUMN=VALUE',
    isRepeatable: true,
    help: 'only the rows with this value, for a file with several series',
    default: 'all rows',
  },
  dates: { type: 'string', value: 'ORDER', choices: CSV_DATE_ORDERS, help: 'how 01/02/2024 is read', default: 'found' },
  delimiter: {
    type: 'string',
    value: 'NAME',
    choices: Object.keys(DELIMITER_NAMES),
    help: 'what separates cells',
    default: 'found',
  },
  header: {
    type: 'string',
    value: 'HEADER',
    choices: HEADERS,
    help: 'whether the first line has the names',
    default: 'found',
  },
  encoding: { type: 'string', value: 'NAME', choices: ENCODINGS, help: 'the encoding of the file', default: 'found' },
} as const satisfies CommandOptions;

/** The rows of two columns of a file, and how they were found. */
export interface FileRows {
  readonly rows: CollectedRows;
  /** The title of the series: the name of the file and of the column. */
  readonly title: string;
  readonly reading: FileReading;
}

/** How a file was read, as the JSON of a command states it. */
export interface FileReading {
  readonly file: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly header: 'present' | 'absent';
  readonly time_column: string;
  readonly time_format: string | null;
  readonly value_column: string;
  readonly value_format: string | null;
  readonly where: Readonly<Record<string, string>>;
  readonly frequency: string;
  /** How rows were dated if their own times are not those of their frequency. */
  readonly dated_by: string | null;
  readonly rows: number;
  /** Rows before the last 50,000, which no forecast reads. */
  readonly older_rows_left_out: number;
  readonly skipped: readonly { readonly line: number; readonly kind: string; readonly text: string }[];
  /** What no option chose. */
  readonly inferred: readonly string[];
}

/** Reads the rows of a file as the options say. Throws a failure that names the line or the option, and the remedy. */
export async function readRows(
  bytes: AsyncIterable<Uint8Array>,
  { path, name }: { readonly path: string | null; readonly name: string },
  values: CommandValues,
  frequency: Frequency | undefined,
): Promise<FileRows> {
  const workspaces = await import('../../workspaces/index.ts');
  const declared = {
    encoding: readChoice('encoding', values, ENCODINGS),
    header: readChoice('header', values, HEADERS),
    delimiter: readDelimiter(values),
    dates: readChoice('dates', values, CSV_DATE_ORDERS),
  };
  const given: GivenColumns = {
    time: values.time as string | undefined,
    value: values.value as string | undefined,
    where: readPairs('where', values.where as readonly string[] | undefined),
  };
  const file = await workspaces.readCsvBytes(bytes, declared);
  const columns = chooseColumns(file, name, given);
  const rows = selectRows(file, name, columns, given);
  const dated = dateRows(workspaces.assignRowTimestamps, rows, frequency);
  const left = Math.max(0, dated.rows.times.length - MAX_INLINE_POINTS);
  const title = path === null ? columns.value.name : `${basename(path, extname(path))}: ${columns.value.name}`;
  const inferred = Object.entries({ ...declared, time: given.time, value: given.value, frequency })
    .filter(([, chosen]) => chosen === null || chosen === undefined)
    .map(([choice]) => choice);
  return {
    title,
    rows: left === 0 ? dated.rows : lastRows(dated.rows, left),
    reading: {
      file: name,
      encoding: file.encoding,
      delimiter: file.delimiter,
      header: file.hasHeader ? 'present' : 'absent',
      time_column: columns.time.name,
      time_format: columns.time.format ?? (columns.time.times?.kind === 'read' ? columns.time.times.format : null),
      value_column: columns.value.name,
      value_format: columns.value.format,
      where: given.where,
      frequency: dated.frequency,
      dated_by: dated.datedBy,
      rows: dated.rows.times.length - left,
      older_rows_left_out: left,
      skipped: file.skipped,
      inferred: inferred.filter((choice) => choice !== 'dates' || isNumericDate(columns)),
    },
  };
}

/** Only dates such as 13/02/2024 have an order of day and month that could be another. */
function isNumericDate({ time }: ChosenColumns): boolean {
  return (CSV_DATE_ORDERS as readonly (string | null)[]).includes(time.format);
}

function selectRows(file: UnstoredCsv, name: string, { time, value }: ChosenColumns, { where }: GivenColumns) {
  try {
    const rows = file.readRows({ time: time.name, value: value.name, where });
    const [missing] = Object.entries(where);
    if (rows.times.length === 0 && missing !== undefined) throw noMatchingRow(name, ...missing);
    return rows;
  } catch (error) {
    if (error instanceof Fault && /is already used on line/.test(error.message)) {
      throw severalSeries(name, error.message, findKey(file, where));
    }
    throw error;
  }
}

/** Returns a condition that may select one of several series: the first column of texts, with its first text. */
function findKey({ columns }: UnstoredCsv, where: GivenColumns['where']): string | null {
  const key = columns.find(({ name, type }) => type === 'text' && !(name in where));
  return key === undefined ? null : `${key.name}=${key.examples[0] ?? ''}`;
}

/** Dates the rows by their own frequency. One that an option names applies even if the rows do not show it. */
function dateRows(
  assign: (rows: CollectedRows) => DatedRows,
  rows: CollectedRows,
  frequency: Frequency | undefined,
): DatedRows {
  if (frequency === undefined) return assign(rows);
  const own = tryAssign(assign, rows);
  return own?.frequency === frequency ? own : { rows, frequency, datedBy: null };
}

function tryAssign(assign: (rows: CollectedRows) => DatedRows, rows: CollectedRows): DatedRows | null {
  try {
    return assign(rows);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

function lastRows({ times, values, lines, offsets }: CollectedRows, from: number): CollectedRows {
  return {
    times: times.slice(from),
    values: values.slice(from),
    lines: lines.slice(from),
    offsets: offsets.slice(from),
  };
}

function readDelimiter(values: CommandValues) {
  const sign = CSV_DELIMITERS.find((delimiter) => delimiter === values.delimiter);
  if (sign !== undefined) return sign;
  const name = readChoice('delimiter', values, Object.keys(DELIMITER_NAMES) as (keyof typeof DELIMITER_NAMES)[]);
  return name === null ? null : DELIMITER_NAMES[name];
}
