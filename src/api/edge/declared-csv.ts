import {
  CSV_DATE_ORDERS,
  type CsvDateOrder,
  type CsvDelimiter,
  type CsvEncoding,
  Fault,
} from '../../contract/index.ts';

/** What a media type says of a file; null: nothing. */
export interface DeclaredFile {
  readonly encoding: CsvEncoding | null;
  readonly header: 'present' | 'absent' | null;
  readonly delimiter: CsvDelimiter | null;
  readonly dates: CsvDateOrder | null;
}

const ENCODINGS: Readonly<Record<string, CsvEncoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  // Without a byte order mark, which decides where there is one (RFC 2781).
  'utf-16': 'utf-16be',
  'windows-1252': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
};

/** By their names: two of the signs mean something in a header themselves. */
const DELIMITERS: Readonly<Record<string, CsvDelimiter>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
const DATES: Readonly<Record<string, CsvDateOrder>> = Object.fromEntries(
  CSV_DATE_ORDERS.map((order) => [order, order]),
);
const HEADERS = { present: 'present', absent: 'absent' } as const;

/** Reads a media type with its parameters. Another type, or a parameter that cannot be meant, is refused. */
export function declaredBy(contentType: string | undefined, mediaType: string): DeclaredFile {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) throw new Fault('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${mediaType}.`);
  const choose = <Value>(
    name: string,
    choices: Readonly<Record<string, Value>>,
    code: 'UNSUPPORTED_MEDIA_TYPE' | 'INVALID_REQUEST',
  ): Value | null => {
    const found = parameters.find((part) => part.split('=')[0]?.trim() === name);
    if (found === undefined) return null;
    const word = found.slice(found.indexOf('=') + 1).replace(/^\s*"?|"?\s*$/g, '');
    const chosen = Object.hasOwn(choices, word) ? choices[word] : undefined;
    if (chosen === undefined) throw new Fault(code, `${name}: must be one of ${Object.keys(choices).join(', ')}.`);
    return chosen;
  };
  return {
    encoding: choose('charset', ENCODINGS, 'UNSUPPORTED_MEDIA_TYPE'),
    header: choose<'present' | 'absent'>('header', HEADERS, 'UNSUPPORTED_MEDIA_TYPE'),
    delimiter: choose('delimiter', DELIMITERS, 'INVALID_REQUEST'),
    dates: choose('dates', DATES, 'INVALID_REQUEST'),
  };
}
