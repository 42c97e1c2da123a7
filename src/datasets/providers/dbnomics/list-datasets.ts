import {
  malformed,
  type ProviderClient,
  ProviderError,
  type ProviderFault,
  readRecord,
  readRecords,
} from '../../../platform/index.ts';
import type { ListedEntry } from '../provider.ts';
import { parseDbnomicsId } from './dbnomics-id.ts';
import { DBNOMICS, type Fields, readLastUpdate, readOrNull, readPage, readTitle } from './dbnomics-reply.ts';

const BATCH_SIZE = 500;
/** Several times the number of publishers, so that a listing has at most 400 requests. */
const MAX_PROVIDERS = 399;
/** DBnomics had 47,264 data sets in 2026. */
const MAX_DATASETS = 60_000;
/** If more publishers fail, the listing has failed: their data sets would disappear from the search. */
const MAX_FAILED_PROVIDERS = 5;
/** Faults after which requests for other publishers would fail as well. */
const LASTING_FAULTS: readonly ProviderFault[] = ['RATE_LIMITED', 'CIRCUIT_OPEN', 'UNREACHABLE'];
const MAX_RESULTS = 100;
const MAX_TREE_BYTES = 16 * 1024 * 1024;
/** DBnomics needs long for the largest trees. */
const TREE_MS = 60_000;

/**
 * Yields the data sets of all publishers. They are read from the category trees, because DBnomics returns lists of data
 * sets only with all labels of all dimensions. A few publishers whose trees cannot be read are left out.
 */
export async function* readDatasets(url: string, http: ProviderClient): AsyncGenerator<readonly ListedEntry[]> {
  let count = 0;
  const failures: unknown[] = [];
  const providers = await http.getJson(`${url}/providers`, { accept: readProviders });
  for (const provider of providers.slice(0, MAX_PROVIDERS)) {
    const entries = await requestTree(url, provider, http).catch((error: unknown) => {
      if (!(error instanceof ProviderError) || LASTING_FAULTS.includes(error.fault)) throw error;
      failures.push(error);
      return null;
    });
    if (failures.length > MAX_FAILED_PROVIDERS) throw failures[0];
    for (const batch of toBatches(entries?.slice(0, MAX_DATASETS - count) ?? [])) {
      count += batch.length;
      yield batch;
    }
    if (count >= MAX_DATASETS) return;
  }
  if (count === 0 && failures.length > 0) throw failures[0];
}

/** Requests the data sets of a publisher. Returns null if there is no such publisher. */
function requestTree(url: string, provider: Publisher, http: ProviderClient): Promise<readonly ListedEntry[] | null> {
  const address = `${url}/providers/${encodeURIComponent(provider.code)}`;
  const accept = (value: unknown) => readTree(value, provider);
  return readOrNull(http.getJson(address, { accept, maxBytes: MAX_TREE_BYTES, attemptMs: TREE_MS }));
}

function* toBatches(entries: readonly ListedEntry[]): Generator<readonly ListedEntry[]> {
  for (let from = 0; from < entries.length; from += BATCH_SIZE) yield entries.slice(from, from + BATCH_SIZE);
}

/** A publisher whose data sets DBnomics has. */
interface Publisher {
  readonly code: string;
  readonly name: string;
}

function readProviders(value: unknown): Publisher[] {
  const { docs } = readPage(readRecord(DBNOMICS, value), 'providers');
  return docs.flatMap((provider) => {
    const code = readCode(provider);
    return parseDbnomicsId(`${code}/dataset`)?.provider === code
      ? [{ code, name: readTitle(provider.name, code) }]
      : [];
  });
}

function readCode({ code }: Fields): string {
  if (typeof code !== 'string' || code === '') throw malformed(DBNOMICS, 'no code');
  return code;
}

/**
 * Returns the data sets in a category tree, each once: its leaves. A category has children and often no code, and one
 * that is empty has neither.
 */
function readTree(value: unknown, provider: Publisher): ListedEntry[] {
  const reply = readRecord(DBNOMICS, value);
  if (readRecord(DBNOMICS, reply.provider).code !== provider.code) throw malformed(DBNOMICS, 'another publisher');
  const entries = new Map<string, ListedEntry>();
  const nodes = [...readRecords(DBNOMICS, reply.category_tree ?? [])].reverse();
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.children !== undefined && node.children !== null) {
      for (const child of readRecords(DBNOMICS, node.children).toReversed()) nodes.push(child);
    } else if (node.code !== undefined && node.code !== null) {
      const entry = readEntry(readCode(node), node, provider);
      if (entry !== null && !entries.has(entry.seriesId)) entries.set(entry.seriesId, entry);
    }
  }
  return [...entries.values()];
}

/** Returns the entry of a data set; null if its code cannot be a part of a series id. */
function readEntry(code: string, dataset: Fields, provider: Publisher): ListedEntry | null {
  const seriesId = `${provider.code}/${code}`;
  const id = parseDbnomicsId(seriesId);
  if (id?.provider !== provider.code || id.dataset !== code) return null;
  return {
    seriesId,
    title: readTitle(dataset.name, code),
    keywords: [...new Set([provider.code, provider.name])],
    frequency: null,
    units: '',
    span: null,
    lastUpdate: readLastUpdate(dataset),
  };
}

/** Returns the data sets that DBnomics finds, the best first. */
export async function searchDatasets(
  url: string,
  query: string,
  limit: number,
  http: ProviderClient,
): Promise<readonly ListedEntry[]> {
  const parameters = new URLSearchParams({ q: query, limit: String(Math.min(limit, MAX_RESULTS)) });
  const accept = (value: unknown) => {
    const { docs } = readPage(readRecord(DBNOMICS, value), 'results');
    return docs.flatMap((dataset) => {
      const code = readCode({ code: dataset.provider_code });
      const provider = { code, name: readTitle(dataset.provider_name, code) };
      return readEntry(readCode(dataset), dataset, provider) ?? [];
    });
  };
  return (await http.getJson(`${url}/search?${parameters}`, { accept })).slice(0, limit);
}
