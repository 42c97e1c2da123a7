import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { malformed } from '../../../platform/index.ts';
import { parsePeriod } from '../parse-period.ts';
import type { ListedEntry } from '../provider.ts';
import { EUROSTAT, isDataSetCode } from './eurostat-ids.ts';
import { readText } from './read-cube.ts';

/** The columns that are read, which may be in any order. */
const COLUMNS = {
  title: 'title',
  code: 'code',
  type: 'type',
  updated: 'last update of data',
  start: 'data start',
  end: 'data end',
} as const;
/** The columns without which there is no data set. */
const REQUIRED = ['title', 'code', 'type'] as const;
/** Parsing so many rows takes some milliseconds. */
const ROWS_PER_STEP = 250;
const MAX_ROWS = 200_000;
const MAX_KEYWORDS = 20;
const FOLDER = 'folder';
const TYPES: readonly string[] = [FOLDER, 'dataset', 'table'];

/** A folder above the current row. Deeper titles begin with more spaces. */
interface Folder {
  readonly indent: number;
  readonly title: string;
}

/** Returns the cell of a column; an empty text if there is none. */
type ReadCell = (column: keyof typeof COLUMNS) => string;

/**
 * Returns the data sets and tables of Eurostat's table of contents, each once: Eurostat files many of them in several
 * folders, whose titles become keywords. Skips rows that cannot be read. Lets other work run between steps. Throws a
 * `ProviderError` with the fault MALFORMED if the text is not a table of contents, lists no data set or has more rows
 * that cannot be read than others.
 */
export async function parseContents(text: string): Promise<readonly ListedEntry[]> {
  const found = new Map<string, { readonly entry: Omit<ListedEntry, 'keywords'>; readonly keywords: Set<string> }>();
  const folders: Folder[] = [];
  let readRow: ((line: string) => ReadCell | null) | undefined;
  let rows = 0;
  let skipped = 0;
  for (const line of linesOf(text)) {
    if (readRow === undefined) {
      readRow = createRowReader(line);
      continue;
    }
    rows += 1;
    if (rows > MAX_ROWS) throw malformed(EUROSTAT, 'too many rows');
    if (rows % ROWS_PER_STEP === 0) await yieldToEventLoop();
    const cell = readRow(line);
    const indented = cell?.('title') ?? line.replace(/^"/, '');
    const indent = indented.length - indented.trimStart().length;
    const title = readText(indented);
    const type = cell?.('type').trim() ?? '';
    if (cell === null || title === null || !TYPES.includes(type)) {
      skipped += 1;
      // It may be a folder. It thus ends others, so that no data set gets their titles, but not the whole table.
      leaveFolders(folders, Math.max(1, indent));
      continue;
    }
    leaveFolders(folders, indent);
    if (type === FOLDER) {
      folders.push({ indent, title });
      continue;
    }
    const seriesId = cell('code').trim().toLowerCase();
    if (!isDataSetCode(seriesId)) {
      // The data sets of Comext are at another address.
      if (!seriesId.startsWith('ds-')) skipped += 1;
      continue;
    }
    const one = found.get(seriesId) ?? { entry: readEntry(seriesId, title, cell), keywords: new Set() };
    found.set(seriesId, one);
    // The first folder contains the whole table, and its title describes nothing.
    for (const { title } of folders.slice(1)) if (one.keywords.size < MAX_KEYWORDS) one.keywords.add(title);
  }
  if (2 * skipped > rows) throw malformed(EUROSTAT, 'too many rows that cannot be read');
  // An empty listing would remove every series from the search.
  if (found.size === 0) throw malformed(EUROSTAT, 'no data sets');
  return [...found.values()].map(({ entry, keywords }) => ({ ...entry, keywords: [...keywords] }));
}

/** Removes the folders that cannot contain a row. */
function leaveFolders(folders: Folder[], indent: number): void {
  while ((folders.at(-1)?.indent ?? -1) >= indent) folders.pop();
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

/** Returns a function that returns the cells of a row by their column; null for a row that is not one. */
function createRowReader(header: string): (line: string) => ReadCell | null {
  const names = (splitRow(header) ?? []).map((name) => name.trim().toLowerCase());
  if (!REQUIRED.every((column) => names.includes(COLUMNS[column]))) throw malformed(EUROSTAT, 'names of columns');
  return (line) => {
    const cells = splitRow(line);
    // A folder may lack the last cell.
    if (cells === null || (cells.length !== names.length && cells.length !== names.length - 1)) return null;
    return (column) => cells[names.indexOf(COLUMNS[column])] ?? '';
  };
}

/** Returns the cells of a row; null if a quote is missing. Texts are in quotes, and numbers are not. */
function splitRow(line: string): readonly string[] | null {
  const cells: string[] = [];
  for (const cell of line.split('\t')) {
    if (!cell.startsWith('"')) cells.push(cell);
    else if (cell.length < 2 || !cell.endsWith('"')) return null;
    else cells.push(cell.slice(1, -1).replaceAll('""', '"'));
  }
  return cells;
}

function readEntry(seriesId: string, title: string, cell: ReadCell): Omit<ListedEntry, 'keywords'> {
  const [first, last] = [parsePeriod(cell('start').trim()), parsePeriod(cell('end').trim())];
  const hasSpan = first !== null && last !== null && first.instant <= last.instant;
  return {
    seriesId,
    title,
    frequency: null,
    units: '',
    span: hasSpan ? { first: first.instant, last: last.instant } : null,
    lastUpdate: readDate(cell('updated').trim()),
  };
}

/** Returns the start of a day such as 28.03.2024 in ISO 8601; null for any other text. */
function readDate(text: string): string | null {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text) ?? [];
  const date = parsePeriod(`${year}-${month}-${day}`);
  return date === null ? null : new Date(date.instant).toISOString();
}
