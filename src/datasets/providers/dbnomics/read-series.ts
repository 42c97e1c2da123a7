import { isRecord, malformed, type ProviderClient, readRecord } from '../../../platform/index.ts';
import type { RawSeries, Selection } from '../provider.ts';
import { type DbnomicsId, formatPath, isDataset } from './dbnomics-id.ts';
import { DBNOMICS, type Fields, readLastUpdate, readNotes, readOrNull, readPage, readTitle } from './dbnomics-reply.ts';
import { readFlags } from './read-flags.ts';
import { readObservations } from './read-observations.ts';

/** One series more than wanted, so that a selection of several series is noticed. */
const LIMIT = 2;

/** A series, and what the reply states about it and its data set. */
export interface FoundSeries {
  readonly code: string;
  readonly series: RawSeries;
  readonly dimensions: Fields;
  /** Empty if the reply does not describe the data set. */
  readonly dataset: Fields;
}

/**
 * Requests one series by its code or by the values of its dimensions. Returns null if there is none. Throws a
 * `ProviderError` with the fault MALFORMED if several series have these values, because the data set cannot be read by
 * its dimensions.
 */
export async function requestSeries(
  url: string,
  id: DbnomicsId,
  dimensions: Selection['dimensions'],
  http: ProviderClient,
): Promise<FoundSeries | null> {
  const filter = Object.fromEntries(Object.entries(dimensions).map(([field, value]) => [field, [value]]));
  const parameters = new URLSearchParams({
    ...(id.series === null && { dimensions: JSON.stringify(filter) }),
    observations: '1',
    limit: String(LIMIT),
  });
  const request = http.getJson(`${url}/series/${formatPath(id)}?${parameters}`, {
    accept: (value) => readReply(value, id, dimensions),
  });
  const found = await readOrNull(request);
  // Not a part of the call, because the reply is correct and must not count for the breaker.
  if (found === 'several') throw malformed(DBNOMICS, 'several series');
  return found;
}

function readReply(value: unknown, id: DbnomicsId, requested: Selection['dimensions']): FoundSeries | 'several' | null {
  const reply = readRecord(DBNOMICS, value);
  const { docs, found } = readPage(reply, 'series');
  if (docs.length !== Math.min(LIMIT, found)) throw malformed(DBNOMICS, 'number of series');
  if (Array.isArray(reply.errors) && reply.errors.length > 0) throw malformed(DBNOMICS, 'errors');
  for (const doc of docs) checkSeries(doc, id);
  // DBnomics reads a code that is not one of a series as a mask, such as A..GDP or A.FR+DE.GDP.
  if (id.series !== null && !docs.some(({ series_code: code }) => code === id.series)) return null;
  const [doc] = docs;
  if (doc === undefined) return null;
  if (docs.length > 1) return 'several';
  const dimensions = isRecord(doc.dimensions) ? doc.dimensions : {};
  for (const [field, wanted] of Object.entries(requested)) {
    if (!Object.hasOwn(dimensions, field) || dimensions[field] !== wanted) throw malformed(DBNOMICS, 'another series');
  }
  const dataset = readDataset(reply.dataset, id);
  return { code: String(doc.series_code), series: readSeries(doc, dimensions, dataset), dimensions, dataset };
}

function checkSeries({ provider_code: provider, dataset_code: dataset, series_code: code }: Fields, id: DbnomicsId) {
  if (!isDataset(id, provider, dataset)) throw malformed(DBNOMICS, 'another data set');
  if (typeof code !== 'string' || code === '') throw malformed(DBNOMICS, 'no series code');
}

function readDataset(value: unknown, id: DbnomicsId): Fields {
  if (value === undefined || value === null) return {};
  const dataset = readRecord(DBNOMICS, value);
  if (!isDataset(id, dataset.provider_code, dataset.code)) throw malformed(DBNOMICS, 'another data set');
  return dataset;
}

function readSeries(doc: Fields, dimensions: Fields, dataset: Fields): RawSeries {
  const { frequency, observations } = readObservations(doc, dimensions);
  const { flags, labels, footnotes } = readFlags(doc, dataset, observations.length);
  const lastUpdate = readLastUpdate(doc);
  const multiplier = readMultiplier(dimensions, isRecord(doc.attributes) ? doc.attributes : {});
  const notes = readNotes(doc.notes, doc.description);
  return {
    frequency,
    observations: observations.map((observation, index) => ({ ...observation, flag: flags[index] })),
    details: {
      title: readTitle(doc.series_name, String(doc.series_code)),
      ...(lastUpdate !== null && { lastUpdate }),
      ...(multiplier !== null && { multiplier }),
      ...(notes !== null && { notes }),
    },
    flagLabels: labels,
    footnotes,
  };
}

/** The power of ten by which values are multiplied. */
const MULTIPLIER = 'UNIT_MULT';

function readMultiplier(...sources: readonly Fields[]): number | null {
  for (const source of sources) {
    const exponent = Object.hasOwn(source, MULTIPLIER) ? source[MULTIPLIER] : undefined;
    if (typeof exponent === 'string' && /^(?:\d|1[0-5])$/.test(exponent)) return 10 ** Number(exponent);
  }
  return null;
}
