type Parser = (text: string) => unknown;

/** Type numbers (oids) of PostgreSQL's built-in types, which are the same on every server and version. */
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
 * The parsers by type, for both databases. Values of other types (text, uuid, date, time, interval and so on) stay text
 * as PostgreSQL writes it. A date is not a `Date`, because it has no time zone.
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

/** Parses a whole number. Throws if JavaScript cannot represent it exactly, so that it is not rounded silently. */
function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `The database returned ${text}, which a JavaScript number cannot hold exactly. Select it as text.`,
    );
  }
  return value;
}

/** Parses a numeric. A whole number, such as a sum of counts, must be exact; a fraction becomes the nearest double. */
function parseNumeric(text: string): number {
  return /^-?\d+$/.test(text) ? parseWholeNumber(text) : Number(text);
}

const isoTimestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?(\+00)?$/;

/** Parses a timestamp. Connections use UTC and ISO dates, so any other format means a wrong setting and throws. */
function parseTimestamp(text: string): Date | number {
  // Microseconds are cut off.
  if (isoTimestamp.test(text)) return new Date(`${text.slice(0, 10)}T${text.slice(11).replace('+00', '')}Z`);
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '-infinity') return Number.NEGATIVE_INFINITY;
  throw new RangeError(
    `The database returned the timestamp ${text}, which is not in UTC or outside the years 1 to 9999.`,
  );
}

/**
 * Parses the text of a PostgreSQL array, such as `{1,NULL,"a \"b\""}` or `{{1,2},{3,4}}`. Both databases use this parser,
 * because the parsers of pg and PGlite return different values.
 */
export function parseArray(text: string, parseElement: (text: string) => unknown): unknown[] {
  // Bounds such as in `[0:1]={...}`, for an array whose indexes do not start at 1, are dropped: JavaScript has none.
  const start = text.indexOf('{');
  const reader = { text, at: start };
  return readList(reader, parseElement);
}

interface Reader {
  readonly text: string;
  at: number;
}

function readList(reader: Reader, parseElement: (text: string) => unknown): unknown[] {
  const items: unknown[] = [];
  reader.at += 1; // the opening brace
  while (reader.at < reader.text.length) {
    const next = reader.text[reader.at];
    if (next === '}') {
      reader.at += 1;
      return items;
    }
    if (next === ',') reader.at += 1;
    else if (next === '{') items.push(readList(reader, parseElement));
    else if (next === '"') items.push(parseElement(readQuoted(reader)));
    else items.push(readUnquoted(reader, parseElement));
  }
  throw new SyntaxError(`The array is incomplete: ${reader.text}`);
}

function readQuoted(reader: Reader): string {
  let value = '';
  for (reader.at += 1; reader.at < reader.text.length; reader.at += 1) {
    const char = reader.text[reader.at];
    if (char === '"') {
      reader.at += 1;
      return value;
    }
    if (char === '\\') reader.at += 1;
    value += reader.text[reader.at];
  }
  throw new SyntaxError(`The array is incomplete: ${reader.text}`);
}

function readUnquoted(reader: Reader, parseElement: (text: string) => unknown): unknown {
  const from = reader.at;
  while (reader.at < reader.text.length && reader.text[reader.at] !== ',' && reader.text[reader.at] !== '}')
    reader.at += 1;
  const value = reader.text.slice(from, reader.at);
  return value === 'NULL' ? null : parseElement(value);
}

/**
 * Converts a JavaScript value to the text of a parameter by the rules of the pg driver, so that both databases accept
 * and refuse the same statements. PGlite's own rules depend on the type of the parameter; for example, for a jsonb
 * parameter it writes a JavaScript array as JSON, while pg writes a PostgreSQL array.
 */
export function encodeParameter(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value)) return hexBytes(value);
  if (Array.isArray(value)) return arrayLiteral(value);
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function hexBytes(view: ArrayBufferView): string {
  return `\\x${Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')}`;
}

function arrayLiteral(items: readonly unknown[]): string {
  const parts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL';
    if (Array.isArray(item)) return arrayLiteral(item);
    return `"${encodeParameter(item).replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${parts.join(',')}}`;
}
