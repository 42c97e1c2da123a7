import { parseArray } from './parse-array.ts';

type Parser = (text: string) => unknown;

/** Type numbers (oids) of PostgreSQL's own types; fixed for ever, the same on every server. */
const BYTEA = 17;
const NUMERIC = 1700;

const scalarParsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, (text) => text === 't'], // bool
  [BYTEA, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, parseWholeNumber], // int8, and so count(*)
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [114, JSON.parse as Parser], // json
  [3802, JSON.parse as Parser], // jsonb
  [700, Number], // float4
  [701, Number], // float8
  [1114, parseTimestamp], // timestamp: read as UTC
  [1184, parseTimestamp], // timestamptz
  [NUMERIC, parseNumeric],
]);

/** Array types by element type. */
const arrayTypes: ReadonlyArray<readonly [array: number, element: number]> = [
  [1000, 16],
  [1001, BYTEA],
  [1016, 20],
  [1005, 21],
  [1007, 23],
  [1028, 26],
  [199, 114],
  [3807, 3802],
  [1021, 700],
  [1022, 701],
  [1115, 1114],
  [1185, 1184],
  [1231, NUMERIC],
  [1009, 25], // text
  [1015, 1043], // varchar
  [1014, 1042], // char(n)
  [1003, 19], // name
  [2951, 2950], // uuid
  [1182, 1082], // date
  [1183, 1083], // time
  [1187, 1186], // interval
];

/**
 * How the text of each type becomes a JavaScript value, on both databases alike. A type that is not listed (text, uuid,
 * date, time, interval, ...) stays the text PostgreSQL wrote: a date has no time zone, so it is not a `Date`.
 */
export const valueParsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  ...scalarParsers,
  ...arrayTypes.map(([array, element]): [number, Parser] => {
    const parseElement = scalarParsers.get(element) ?? asText;
    return [array, (text) => parseArray(text, parseElement)];
  }),
]);

export function asText(text: string): string {
  return text;
}

/** A count that does not fit a JavaScript number must not be rounded in silence. */
function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `The database returned ${text}, which a JavaScript number cannot hold exactly. Select it as text.`,
    );
  }
  return value;
}

/** Whole numerics (sums of counts) are exact or refused; one with a fraction is a measure and becomes the nearest double. */
function parseNumeric(text: string): number {
  return /^-?\d+$/.test(text) ? parseWholeNumber(text) : Number(text);
}

const isoTimestamp = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?$/;

/** Sessions run in UTC with ISO dates, so any other shape means a setting is wrong and guessing would shift times. */
function parseTimestamp(text: string): Date | number {
  const parts = isoTimestamp.exec(text);
  if (parts === null) {
    if (text === 'infinity') return Number.POSITIVE_INFINITY;
    if (text === '-infinity') return Number.NEGATIVE_INFINITY;
    throw new RangeError(
      `The database returned the timestamp ${text}, which is not in UTC or outside the years 1 to 9999.`,
    );
  }
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millisecond = Math.trunc(Number((parts[7] ?? '0').padEnd(6, '0')) / 1000);
  const date = new Date(0);
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, millisecond);
  return date;
}
