import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { malformed } from '../../../platform/index.ts';
import { parsePeriod } from '../parse-period.ts';
import type { ListedEntry } from '../provider.ts';
import { EUROSTAT, isDataSetCode } from './eurostat-ids.ts';
import { cleanText } from './read-cube.ts';

const HEADER = [
  'title',
  'code',
  'type',
  'last update of data',
  'last table structure change',
  'data start',
  'data end',
  'values',
];
/** Parsing so many rows takes some milliseconds. */
const ROWS_PER_STEP = 250;
const MAX_ROWS = 200_000;
const MAX_KEYWORDS = 20;

/** A folder above the current row. Deeper titles begin with more spaces. */
interface Folder {
  readonly indent: number;
  readonly title: string;
}

/**
 * Returns the data sets and tables of Eurostat's table of contents, each once: Eurostat files many of them in several
 * folders, whose titles become keywords. Lets other work run between steps. Throws a `ProviderError` with the fault
 * MALFORMED if the text is not a table of contents or lists no data set.
 */
export async function parseContents(text: string): Promise<readonly ListedEntry[]> {
  const found = new Map<string, { readonly entry: Omit<ListedEntry, 'keywords'>; readonly keywords: Set<string> }>();
  const folders: Folder[] = [];
  let rows = 0;
  for (const line of linesOf(text)) {
    const cells = splitRow(line);
    if (rows++ === 0) {
      checkHeader(cells);
      continue;
    }
    if (rows > MAX_ROWS) throw malformed(EUROSTAT, 'too many rows');
    if (rows % ROWS_PER_STEP === 0) await yieldToEventLoop();
    const [title = '', code = '', type] = cells;
    const name = cleanText(title);
    if (name === null) throw malformed(EUROSTAT, 'a title');
    const indent = title.length - title.trimStart().length;
    while ((folders.at(-1)?.indent ?? -1) >= indent) folders.pop();
    if (type === 'folder') {
      folders.push({ indent, title: name });
      continue;
    }
    if (type !== 'dataset' && type !== 'table') throw malformed(EUROSTAT, 'a type');
    const seriesId = readCode(code);
    if (seriesId === null) continue;
    const one = found.get(seriesId) ?? { entry: readEntry(seriesId, name, cells), keywords: new Set() };
    found.set(seriesId, one);
    // The first folder contains the whole table, and its title describes nothing.
    for (const { title } of folders.slice(1)) if (one.keywords.size < MAX_KEYWORDS) one.keywords.add(title);
  }
  // An empty listing would remove every series from the search.
  if (found.size === 0) throw malformed(EUROSTAT, 'no data sets');
  return [...found.values()].map(({ entry, keywords }) => ({ ...entry, keywords: [...keywords] }));
}

function* linesOf(text: string): Generator<string> {
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, end).replace(/\r$/, '');
    if (line !== '') yield line;
    from = end + 1;
  }
}

/** Returns the cells of a row. Texts are in quotes, and numbers are not. A folder may lack the last cell. */
function splitRow(line: string): readonly string[] {
  const cells = line.split('\t').map((cell) => {
    if (!cell.startsWith('"')) return cell;
    if (cell.length < 2 || !cell.endsWith('"')) throw malformed(EUROSTAT, 'a quote');
    return cell.slice(1, -1).replaceAll('""', '"');
  });
  if (cells.length !== HEADER.length && cells.length !== HEADER.length - 1) throw malformed(EUROSTAT, 'columns');
  return cells;
}

function checkHeader(cells: readonly string[]): void {
  const isHeader = HEADER.every((name, i) => cells[i]?.trim().toLowerCase() === name);
  if (!isHeader) throw malformed(EUROSTAT, 'names of columns');
}

/** Returns the code of a data set; null if the data set is at another address. */
function readCode(text: string): string | null {
  const code = text.trim().toLowerCase();
  if (isDataSetCode(code)) return code;
  if (code.startsWith('ds-')) return null;
  throw malformed(EUROSTAT, 'a code');
}

function readEntry(seriesId: string, title: string, cells: readonly string[]): Omit<ListedEntry, 'keywords'> {
  const first = parsePeriod(cells[5]?.trim() ?? '');
  const last = parsePeriod(cells[6]?.trim() ?? '');
  const hasSpan = first !== null && last !== null && first.instant <= last.instant;
  return {
    seriesId,
    title,
    frequency: null,
    units: '',
    span: hasSpan ? { first: first.instant, last: last.instant } : null,
    lastUpdate: readDate(cells[3]?.trim() ?? ''),
  };
}

/** Returns the start of a day such as 28.03.2024 in ISO 8601; null for any other text. */
function readDate(text: string): string | null {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? [];
  const date = parsePeriod(`${year}-${month}-${day}`);
  return date === null ? null : new Date(date.instant).toISOString();
}
