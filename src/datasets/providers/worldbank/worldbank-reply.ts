import {
  cleanText,
  malformed,
  type ProviderClient,
  ProviderError,
  readRecord,
  readRecords,
} from '../../../platform/index.ts';

export const WORLDBANK = 'worldbank';

/** The address of the interface, and the client that sends the requests. */
export interface WorldBankSession {
  readonly url: string;
  readonly http: ProviderClient;
}

type Row = Readonly<Record<string, unknown>>;

/** One page of a list: `[header, rows]`. */
interface ReplyPage {
  readonly pages: number;
  readonly total: number;
  readonly lastUpdated: unknown;
  readonly rows: readonly Row[];
}

/** All rows of a list. */
export interface ReplyRows<Read> {
  readonly rows: readonly Read[];
  /** The date of the last update as the first page has it. */
  readonly lastUpdated: unknown;
}

const MAX_ROWS = 100_000;
const MAX_PAGES = 100;

/** Messages that name a value which does not exist: 175 is an indicator that has no data or was archived. */
const UNKNOWN_VALUE: readonly unknown[] = ['120', '175'];
const UNAVAILABLE = '105';

/**
 * Requests a list with all its pages and reads every row. Returns null if a value in the path does not exist. Throws a
 * `ProviderError` with the fault MALFORMED unless there are as many rows as every page states.
 */
export async function requestRows<Read>(
  { url, http }: WorldBankSession,
  path: string,
  parameters: Readonly<Record<string, string>>,
  read: (row: Row, index: number) => Read,
): Promise<ReplyRows<Read> | null> {
  const rows: Read[] = [];
  let lastUpdated: unknown;
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ format: 'json', ...parameters, ...(page > 1 && { page: String(page) }) });
    const reply = await http.getJson(`${url}${path}?${query}`, {
      accept: (value) => {
        const received = readPage(value, page);
        if (received === null) return null;
        checkCount(received, page, rows.length);
        return { ...received, rows: received.rows.map((row, i) => read(row, rows.length + i)) };
      },
    });
    if (reply === null) return null;
    if (page === 1) lastUpdated = reply.lastUpdated;
    for (const row of reply.rows) rows.push(row);
    if (page >= reply.pages) return { rows, lastUpdated };
  }
}

function checkCount({ rows, pages, total }: ReplyPage, page: number, before: number): void {
  const count = before + rows.length;
  if (total > MAX_ROWS || pages > MAX_PAGES) throw malformed(WORLDBANK, 'too many rows');
  const isComplete = page >= pages ? count === total : rows.length > 0 && count < total;
  if (!isComplete) throw malformed(WORLDBANK, 'number of rows');
}

/** Reads one page. Returns null if the reply is a message that a value does not exist. */
function readPage(value: unknown, page: number): ReplyPage | null {
  if (!Array.isArray(value)) throw malformed(WORLDBANK, 'not a list');
  if (value.length === 1) {
    if (page > 1) throw malformed(WORLDBANK, 'page');
    checkMessage(value[0]);
    return null;
  }
  if (value.length !== 2) throw malformed(WORLDBANK, 'not a header with rows');
  const header = readHeader(value[0], page);
  // The rows of an empty list are null.
  return { ...header, rows: value[1] === null ? [] : readRecords(WORLDBANK, value[1]) };
}

/** Reads the header of a page. Its numbers are sometimes strings, and an empty list has the page 0. */
export function readHeader(value: unknown, page: number): Omit<ReplyPage, 'rows'> {
  const { page: stated, pages, total, lastupdated } = readRecord(WORLDBANK, value);
  const header = { pages: readCount(pages), total: readCount(total), lastUpdated: lastupdated };
  const isEmpty = header.total === 0 && header.pages <= 1 && page === 1;
  if (!isEmpty && readCount(stated) !== page) throw new ProviderError(WORLDBANK, 'PAGE_LOOP');
  return header;
}

function readCount(value: unknown): number {
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw malformed(WORLDBANK, 'header');
  return count;
}

/** Throws unless a message states that a value does not exist. Messages are sent with the status 200. */
function checkMessage(value: unknown): void {
  const [message, ...others] = readRecords(WORLDBANK, readRecord(WORLDBANK, value).message);
  if (message === undefined || others.length > 0) throw malformed(WORLDBANK, 'message');
  if (message.id === UNAVAILABLE) throw new ProviderError(WORLDBANK, 'UNAVAILABLE');
  if (!UNKNOWN_VALUE.includes(message.id)) throw malformed(WORLDBANK, 'message');
}

/** Returns a text in one line and at most `max` characters long; empty for anything else. */
export function readText(value: unknown, max: number): string {
  return typeof value === 'string' ? cleanText(value, max) : '';
}
