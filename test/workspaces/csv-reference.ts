import { type CsvDelimiter, MAX_CSV_CELL } from '../../src/contract/index.ts';

/**
 * A second reader of CSV files, to which the first one is compared. It reads the whole file in the simplest way. The
 * delimiter and whether there is a header are passed to it, because heuristics for them have no single right answer.
 */
export type ReferenceResult =
  | { readonly encoding: string; readonly names: string[]; readonly rows: { line: number; cells: string[] }[] }
  | { readonly refusedAt: number };

export interface Detection {
  detectDelimiter(text: string, isWhole: boolean): CsvDelimiter;
  isHeader(cells: readonly string[]): boolean;
}

export function readByReference(bytes: Buffer, detection: Detection): ReferenceResult {
  const { encoding, text, brokenAt } = decode(bytes);
  const delimiter = detection.detectDelimiter(text, brokenAt === null);
  const { records, misplacedAt } = splitRecords(text, delimiter, brokenAt === null);
  const header = records[0];
  const isHeader = header !== undefined && detection.isHeader(header.cells);
  const names = header && readNames(header.cells, isHeader);
  const ragged = records.find(({ cells }) => cells.length !== header?.cells.length);
  // The fault on the earliest line is the one that counts.
  const faults = [
    names === null ? header?.line : null,
    ragged?.line,
    misplacedAt,
    brokenAt === null ? null : lineAt(text, text.length),
  ].filter((line) => typeof line === 'number');
  if (faults.length > 0) return { refusedAt: Math.min(...faults) };
  if (!names) return { refusedAt: 1 };
  const rows = isHeader ? records.slice(1) : records;
  return rows.length === 0 ? { refusedAt: lineAt(text, text.length) } : { encoding, names, rows };
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split(/\r\n|\r|\n/).length;
}

interface Decoded {
  readonly encoding: string;
  /** The whole text, or the part before the first bytes that are not text. */
  readonly text: string;
  readonly brokenAt: number | null;
}

function decode(bytes: Buffer): Decoded {
  const [encoding, body] = detectEncoding(bytes);
  const label = encoding === 'windows-1252' ? 'latin1' : encoding;
  const longest = longestPrefix(body.length, (length) => {
    const part = body.subarray(0, length);
    return label === 'latin1' ? !hasUnassigned(part) : isText(part, label);
  });
  const whole = longest === body.length;
  const decoded =
    label === 'latin1'
      ? decodeWindows1252(body.subarray(0, longest))
      : new TextDecoder(label, { ignoreBOM: true }).decode(body.subarray(0, longest));
  const control = [...decoded].findIndex((char) => char < ' ' && !'\t\r\n'.includes(char));
  if (control < 0) return { encoding, text: decoded, brokenAt: whole ? null : decoded.length };
  const text = [...decoded].slice(0, control).join('');
  return { encoding, text, brokenAt: text.length };
}

function detectEncoding(bytes: Buffer): [string, Buffer] {
  const hex = bytes.subarray(0, 3).toString('hex');
  if (hex === 'efbbbf') return ['utf-8', bytes.subarray(3)];
  if (hex.startsWith('fffe')) return ['utf-16le', bytes.subarray(2)];
  if (hex.startsWith('feff')) return ['utf-16be', bytes.subarray(2)];
  const first = bytes.findIndex((byte) => byte > 127);
  if (first < 0) return ['utf-8', bytes];
  const isUtf8 = [2, 3, 4].some((length) => {
    const character = bytes.subarray(first, first + length);
    return character.length === length && isText(character, 'utf-8');
  });
  return [isUtf8 ? 'utf-8' : 'windows-1252', bytes];
}

/** Returns the length of the longest prefix that passes. */
function longestPrefix(length: number, passes: (length: number) => boolean): number {
  for (let end = length; end > 0; end--) if (passes(end)) return end;
  return 0;
}

function isText(bytes: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const UNASSIGNED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const hasUnassigned = (bytes: Buffer) => bytes.some((byte) => UNASSIGNED.includes(byte));

const UPPER_1252: Readonly<Record<number, string>> = Object.fromEntries(
  '€80‚82ƒ83„84…85†86‡87ˆ88‰89Š8a‹8bŒ8cŽ8e‘91’92“93”94•95–96—97˜98™99š9a›9bœ9cž9eŸ9f'
    .match(/.[89][0-9a-f]/gu)
    ?.map((entry) => [Number.parseInt(entry.slice(1), 16), entry.charAt(0)]) ?? [],
);

function decodeWindows1252(bytes: Buffer): string {
  return [...bytes].map((byte) => UPPER_1252[byte] ?? String.fromCharCode(byte)).join('');
}

interface Split {
  readonly records: { line: number; cells: string[] }[];
  /** The line of a misplaced quote; the text after it is not split. */
  readonly misplacedAt: number | null;
}

function splitRecords(text: string, delimiter: string, isWhole: boolean): Split {
  const escaped = delimiter.replace(/[|]/, '\\$&');
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"\\r\\n${escaped}]*))(${escaped}|\\r\\n|\\r|\\n|$)`, 'y');
  const records: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length || cells.length > 0; ) {
    cell.lastIndex = at;
    const match = cell.exec(text);
    if (match === null) return { records, misplacedAt: misplacedLine(text, at, escaped, isWhole) };
    const [whole, quoted, bare = '', end = ''] = match;
    const value = quoted === undefined ? bare : quoted.replaceAll('""', '"');
    if (value.length > MAX_CSV_CELL) return { records, misplacedAt: lineAt(text, at) };
    at += whole.length;
    cells.push(value);
    if (end === delimiter) continue;
    // An incomplete last record is ignored.
    if (end === '' && !isWhole) break;
    if (cells.length > 1 || cells[0] !== '' || quoted !== undefined) {
      records.push({ line: lineAt(text, start), cells });
    }
    cells = [];
    start = at;
  }
  return { records, misplacedAt: null };
}

/** Returns the line of a quote that is misplaced or not closed. */
function misplacedLine(text: string, at: number, escaped: string, isWhole: boolean): number {
  const rest = text.slice(at);
  const closed = /^"(?:[^"]|"")*"/.exec(rest);
  if (closed) return lineAt(text, at + closed[0].length);
  if (!rest.startsWith('"'))
    return lineAt(text, at + (new RegExp(`^[^"\\r\\n${escaped}]*`).exec(rest)?.[0].length ?? 0));
  return isWhole ? lineAt(text, at) : lineAt(text, text.length);
}

function readNames(cells: readonly string[], isHeader: boolean): string[] | null {
  const names = cells.map((cell, index) => (isHeader && cell.trim()) || `column_${index + 1}`);
  const isInvalid = new Set(names).size < names.length || names.some((name) => name.length > 200);
  return isInvalid ? null : names;
}
