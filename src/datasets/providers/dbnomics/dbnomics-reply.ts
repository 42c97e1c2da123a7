import { cleanText, isRecord, malformed, ProviderError, readRecord, readRecords } from '../../../platform/index.ts';
import { parseInstant } from '../parse-instant.ts';

export const DBNOMICS = 'dbnomics';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The list that a reply contains, and the number of all entries that match the request. */
export interface DocPage {
  readonly docs: readonly Fields[];
  readonly found: number;
}

/** Reads the list in one field of a reply. Throws a `ProviderError` with the fault MALFORMED for any other reply. */
export function readPage(reply: Fields, field: 'providers' | 'datasets' | 'series' | 'results'): DocPage {
  const page = readRecord(DBNOMICS, reply[field]);
  const docs = readRecords(DBNOMICS, page.docs);
  const found = page.num_found;
  if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < docs.length) {
    throw malformed(DBNOMICS, 'num_found');
  }
  return { docs, found };
}

/** Returns the result of a request; null if DBnomics has no such provider, data set or series. */
export async function readOrNull<Result>(request: Promise<Result>): Promise<Result | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ProviderError && error.fault === 'NOT_FOUND') return null;
    throw error;
  }
}

const MAX_TITLE_LENGTH = 500;
const MAX_NOTES_LENGTH = 4_000;

/** Returns a name or a label; the code if there is none. */
export function readTitle(value: unknown, code: string): string {
  return (typeof value === 'string' && cleanText(value, MAX_TITLE_LENGTH)) || cleanText(code, MAX_TITLE_LENGTH) || code;
}

/** Returns the first of some texts or lists of texts that is not empty, in one line; null if there is none. */
export function readNotes(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const lines = (Array.isArray(value) ? value : [value]).filter((line) => typeof line === 'string');
    const notes = cleanText(lines.join('\n'), MAX_NOTES_LENGTH);
    if (notes !== '') return notes;
  }
  return null;
}

/** Returns the instant at which DBnomics last stored a data set or a series; null if none is stated. */
export function readLastUpdate({ indexed_at: indexedAt, updated_at: updatedAt }: Fields): string | null {
  const parse = (value: unknown) => (typeof value === 'string' ? parseInstant(value) : null);
  return parse(indexedAt) ?? parse(updatedAt);
}

/**
 * Returns the labels of codes by code. DBnomics writes them as an object, or as a list of pairs if their order matters.
 * Throws a `ProviderError` with the fault MALFORMED for anything else but null.
 */
export function readLabels(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return new Map();
  const pairs: readonly unknown[] = isRecord(value) ? Object.entries(value) : Array.isArray(value) ? value : [null];
  const labels = new Map<string, string>();
  for (const pair of pairs) {
    const [code, label] = Array.isArray(pair) ? pair : [];
    if (typeof code !== 'string') throw malformed(DBNOMICS, 'labels');
    // A request cannot choose an empty value.
    if (code !== '') labels.set(code, readTitle(label, code));
  }
  return labels;
}

/** Returns the labels that one field of a data set has for each dimension or attribute. */
export function readLabelsOf(dataset: Fields, field: string, code: string): ReadonlyMap<string, string> {
  const all = dataset[field];
  if (all === undefined || all === null) return new Map();
  const fields = readRecord(DBNOMICS, all);
  return Object.hasOwn(fields, code) ? readLabels(fields[code]) : new Map();
}
