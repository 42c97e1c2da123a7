import { malformed, ProviderError, parseJsonArray, readRecord } from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';
import { frequencyOfSource, type Indicator, isIndicatorId, readIndicator } from './indicators.ts';
import { readHeader, WORLDBANK, type WorldBankSession } from './worldbank-reply.ts';

/** About 30,000 indicators of 1 KiB each. */
const INDICATORS_PER_PAGE = 5_000;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const PAGE_MS = 120_000;
const MAX_PAGES = 100;
const MAX_BATCH = 200;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

interface ListingPage {
  readonly pages: number;
  readonly batches: readonly Indicator[][];
}

/** Yields every indicator once. */
export async function* listIndicators(session: WorldBankSession): AsyncGenerator<readonly ListedEntry[]> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const { pages, batches } = await requestPage(session, page);
    for (const batch of batches) {
      const entries = batch.flatMap((indicator) => {
        // An indicator of several sources may be listed once for each.
        if (!isIndicatorId(indicator.id) || seen.has(indicator.id)) return [];
        seen.add(indicator.id);
        return [toEntry(indicator)];
      });
      for (let from = 0; from < entries.length; from += MAX_BATCH) yield entries.slice(from, from + MAX_BATCH);
    }
    if (page >= pages) return;
    if (page >= MAX_PAGES) throw new ProviderError(WORLDBANK, 'PAGE_LOOP');
  }
}

function requestPage({ url, http }: WorldBankSession, page: number): Promise<ListingPage> {
  const query = new URLSearchParams({ format: 'json', per_page: String(INDICATORS_PER_PAGE), page: String(page) });
  return http.getBytes(`${url}/indicator?${query}`, {
    maxBytes: MAX_PAGE_BYTES,
    attemptMs: PAGE_MS,
    accept: (bytes) => readPage(bytes, page),
  });
}

/** Reads a page in steps, because the event loop would otherwise wait for megabytes of JSON. */
async function readPage(bytes: Buffer, page: number): Promise<ListingPage> {
  const batches: Indicator[][] = [];
  try {
    const { header, list } = splitReply(bytes);
    const { pages } = readHeader(JSON.parse(header), page);
    for await (const batch of parseJsonArray(list)) {
      batches.push(batch.map((row) => readIndicator(readRecord(WORLDBANK, row))));
    }
    if (batches.length === 0) throw malformed(WORLDBANK, 'a page without indicators');
    return { pages, batches };
  } catch (error) {
    throw error instanceof SyntaxError ? malformed(WORLDBANK, 'not JSON') : error;
  }
}

/** Returns the two parts of `[header, list]`. The header contains no other object. */
function splitReply(bytes: Buffer): { readonly header: string; readonly list: Buffer } {
  const from = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const end = bytes.indexOf('}', from);
  const separated = /^\s*\[(.*\})$/s.exec(bytes.toString('utf8', from, end + 1));
  const comma = /^\s*,/.exec(bytes.toString('latin1', end + 1, end + 100));
  const last = bytes.lastIndexOf(']');
  const isLast = bytes.toString('latin1', last + 1).trim() === '';
  if (separated === null || comma === null || !isLast || last <= end) throw new SyntaxError('Not a header and a list.');
  return { header: separated[1] as string, list: bytes.subarray(end + 1 + comma[0].length, last) };
}

function toEntry({ id, name, units, source, topics }: Indicator): ListedEntry {
  return {
    seriesId: id,
    title: name,
    keywords: [...new Set([...topics, ...(source === '' ? [] : [source])])],
    frequency: frequencyOfSource(source),
    units,
    span: null,
    lastUpdate: null,
    hasMembers: true,
  };
}
