import { CSV_DELIMITERS, type CsvDelimiter, type CsvEncoding } from '../../src/contract/index.ts';
import { pick } from '../support/market/mutate-reply.ts';
import type { Random } from '../support/platform/seeded-random.ts';

/** A generated file and its intended content. */
export interface GeneratedFile {
  readonly bytes: Buffer;
  readonly encoding: CsvEncoding;
  readonly delimiter: CsvDelimiter;
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const WORDS = [
  'north',
  'Zoë',
  'a b',
  'say "hi"',
  'x;y',
  'x,y',
  'x|y',
  'tab\there',
  'two\nlines',
  'über',
  '',
  ' padded ',
];
const WIDE = ['€ 5', '“quoted”', 'naïve'];
const BEYOND = ['日本', '😀', 'ﬁ'];
const MISSING = ['', 'NA', '.'];

const between = (random: Random, min: number, max: number) => min + Math.floor(random() * (max - min + 1));

type Cell = (random: Random, row: number) => string;

/** Generators of cells. The first makes lines alike, so that the delimiter is unambiguous. */
const CELLS: readonly Cell[] = [
  (_, row) => new Date(Date.UTC(2020, 0, 1 + row)).toISOString().slice(0, 10),
  (random) => (random() * 1000 - 500).toFixed(between(random, 0, 4)),
  (random) => (random() * 1000).toFixed(2).replace('.', ','),
  (random) => pick(random, WORDS),
  (random) => (random() < 0.3 ? pick(random, MISSING) : String(between(random, -50, 50))),
  (random) => pick(random, ['true', 'false']),
  (random) => `${between(random, 13, 28)}.${between(random, 1, 9)}.2024`,
];

/** Generates a table with dates in its first column, in a random encoding and with a random delimiter. */
export function generateFile(random: Random): GeneratedFile {
  const encoding = pick(random, ['utf-8', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const);
  const delimiter = pick(random, CSV_DELIMITERS);
  const columns = [CELLS[0] as Cell, ...Array.from({ length: between(random, 1, 7) }, () => pick(random, CELLS))];
  const names = columns.map((_, index) => `${pick(random, ['date', 'value', 'größe', 'a "b"', 'x y'])} ${index}`);
  const special = encoding === 'windows-1252' ? WIDE : [...WIDE, ...BEYOND];
  const rows = Array.from({ length: between(random, 1, 25) }, (_, row) =>
    columns.map((cell, index) => (index > 0 && random() < 0.05 ? pick(random, special) : cell(random, row))),
  );
  // At least one cell must not be valid UTF-8, so that windows-1252 is detected.
  if (encoding === 'windows-1252') names[0] = 'Müller';
  const end = pick(random, ['\n', '\r\n', '\r']);
  const quote = (cell: string) =>
    random() < 0.2 || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [names, ...rows].map((cells) => cells.map(quote).join(delimiter));
  const text = lines.join(end) + (random() < 0.7 ? end : '');
  return { bytes: encode(text, encoding, random() < 0.5), encoding, delimiter, names, rows };
}

function encode(text: string, encoding: CsvEncoding, marked: boolean): Buffer {
  if (encoding === 'utf-8') return Buffer.from(marked ? `\ufeff${text}` : text);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const upper: Record<string, number> = { '€': 0x80, '“': 0x93, '”': 0x94 };
  return Buffer.from([...text].map((char) => upper[char] ?? char.charCodeAt(0)));
}

const BAD_BYTES = ['"', '""', ',', ';', '\n', '\r', '\r\n', '\t', '|', '\0', '\x1f', 'é', '\ufeff', '=', ' ', '€'];

const TYPING_ERRORS = ['0', '1', '9', '-', '.', 'e', 'x', ' ', '='];

type Damage = (random: Random, bytes: Buffer) => Buffer;

const DAMAGES: readonly Damage[] = [
  (random, bytes) => {
    const at = between(random, 0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(random, BAD_BYTES)), bytes.subarray(at)]);
  },
  (random, bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[between(random, 0, copy.length - 1)] = between(random, 0, 255);
    return copy;
  },
  (random, bytes) => {
    const [from, length] = [between(random, 0, bytes.length), between(random, 1, 20)];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  },
  (random, bytes) => {
    const from = between(random, 0, bytes.length);
    const part = bytes.subarray(from, from + between(random, 1, 40));
    return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)]);
  },
  (random, bytes) => {
    // A typing error: one letter or digit for another.
    const positions = [...bytes.keys()].filter((at) => /[0-9a-z]/.test(String.fromCharCode(bytes[at] ?? 0)));
    const copy = Buffer.from(bytes);
    for (let times = 5; times > 0 && positions.length > 0; times--)
      copy.write(pick(random, TYPING_ERRORS), pick(random, positions));
    return copy;
  },
  (random, bytes) => bytes.subarray(0, between(random, 0, bytes.length)),
  (random, bytes) => bytes.subarray(between(random, 0, Math.min(8, bytes.length))),
];

/** Returns the file, damaged randomly in one or two places. */
export function damageFile(random: Random, bytes: Buffer): Buffer {
  let damaged = bytes;
  for (let times = between(random, 1, 2); times > 0; times--) damaged = pick(random, DAMAGES)(random, damaged);
  return damaged;
}
