import { isRecord, malformed, type ProviderClient, readRecord, readRecords } from '../../../platform/index.ts';
import type { Dimension, SeriesStructure, StatedFrequency } from '../provider.ts';
import { type DbnomicsId, formatPath, isDataset } from './dbnomics-id.ts';
import {
  DBNOMICS,
  type Fields,
  readLabels,
  readLabelsOf,
  readLastUpdate,
  readNotes,
  readOrNull,
  readPage,
  readTitle,
} from './dbnomics-reply.ts';
import { findFrequencyDimension } from './frequencies.ts';
import { readObservations } from './read-observations.ts';
import { requestSeries } from './read-series.ts';

/** The names of dimensions whose values are units or seasonal adjustments. */
const UNITS_FIELD = /^(?:units?|unit_(?:of_)?measure)$/i;
const SEASONAL_FIELD = /^(?:seasonal_adjust(?:ment)?|adjustment|s_adj)$/i;

/** Requests the structure of a data set, or of one series. Returns null if there is none. */
export async function requestStructure(
  url: string,
  id: DbnomicsId,
  http: ProviderClient,
): Promise<SeriesStructure | null> {
  return id.series === null ? requestDataset(url, id, http) : requestOneSeries(url, id, http);
}

async function requestDataset(url: string, id: DbnomicsId, http: ProviderClient): Promise<SeriesStructure | null> {
  const accept = (value: unknown) => readDataset(value, id);
  const read = await readOrNull(http.getJson(`${url}/datasets/${formatPath(id)}`, { accept }));
  if (read === null) return null;
  const byDimension = findFrequencyDimension(read.dimensions);
  if (byDimension !== null && read.dimensions.every(({ values }) => values.length > 0)) {
    return { ...read, ...findNamedDimensions(read.dimensions), frequency: byDimension };
  }
  const sample = await requestSample(url, id, http);
  if (sample === null) return null;
  // A dimension of which no series has a value cannot be chosen.
  const dimensions = read.dimensions
    .map((dimension) =>
      dimension.values.length > 0 ? dimension : { ...dimension, values: sample.values.get(dimension.field) ?? [] },
    )
    .filter(({ values }) => values.length > 0);
  // Without dimensions, the data set names its series by their codes only.
  if (dimensions.length === 0 && sample.count > 1) return null;
  const frequency = findFrequencyDimension(dimensions) ?? sample.frequency;
  return { ...read, dimensions, ...findNamedDimensions(dimensions), frequency };
}

/** Returns the dimensions whose values are units or seasonal adjustments. */
function findNamedDimensions(dimensions: readonly Dimension[]) {
  const unitsDimension = dimensions.find(({ field }) => UNITS_FIELD.test(field))?.field;
  const seasonalDimension = dimensions.find(({ field }) => SEASONAL_FIELD.test(field))?.field;
  return { ...(unitsDimension && { unitsDimension }), ...(seasonalDimension && { seasonalDimension }) };
}

/** What a data set's own reply states. */
type StatedDataset = Omit<SeriesStructure, 'frequency' | 'unitsDimension' | 'seasonalDimension'>;

/** Returns null if the reply contains no data set. */
function readDataset(value: unknown, id: DbnomicsId): StatedDataset | null {
  const { docs, found } = readPage(readRecord(DBNOMICS, value), 'datasets');
  const [dataset] = docs;
  if (dataset === undefined && found === 0) return null;
  if (dataset === undefined || docs.length > 1 || !isDataset(id, dataset.provider_code, dataset.code)) {
    throw malformed(DBNOMICS, 'another data set');
  }
  const labels = readLabels(dataset.dimensions_labels);
  const dimensions = fieldsOf(dataset, labels).map((field): Dimension => {
    const values = [...readLabelsOf(dataset, 'dimensions_values_labels', field)];
    return {
      field,
      label: readTitle(labels.get(field), field),
      values: values.map(([value, label]) => ({ value, label })),
    };
  });
  return {
    title: readTitle(dataset.name, id.dataset),
    units: '',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: formatPublisher(dataset, id),
    lastUpdate: readLastUpdate(dataset),
    notes: readNotes(dataset.notes, dataset.description),
    dimensions,
    span: null,
    firstVintage: null,
  };
}

/** Returns the codes of the dimensions, in the stated order and then in the order of their codes. */
function fieldsOf(dataset: Fields, labels: ReadonlyMap<string, string>): string[] {
  const order = dataset.dimensions_codes_order ?? [];
  if (!Array.isArray(order) || !order.every((code) => typeof code === 'string'))
    throw malformed(DBNOMICS, 'dimensions');
  const withValues = isRecord(dataset.dimensions_values_labels) ? Object.keys(dataset.dimensions_values_labels) : [];
  const fields = new Set([...order, ...[...labels.keys(), ...withValues].toSorted()]);
  fields.delete('');
  return [...fields];
}

function formatPublisher({ provider_name: name }: Fields, { provider }: DbnomicsId): string {
  return `${readTitle(name, provider)}, by way of DBnomics`;
}

/** What the first series of a data set and the counts of its dimensions show. */
interface Sample {
  readonly frequency: StatedFrequency;
  readonly count: number;
  /** The values that occur, by dimension. */
  readonly values: ReadonlyMap<string, Dimension['values']>;
}

/** Requests the first series of a data set. Returns null if it has none. */
async function requestSample(url: string, id: DbnomicsId, http: ProviderClient): Promise<Sample | null> {
  const parameters = new URLSearchParams({ observations: '1', facets: '1', metadata: '0', limit: '1' });
  const accept = (value: unknown): Sample | null => {
    const reply = readRecord(DBNOMICS, value);
    const { docs, found } = readPage(reply, 'series');
    const [doc] = docs;
    if (doc === undefined && found === 0) return null;
    if (doc === undefined || !isDataset(id, doc.provider_code, doc.dataset_code))
      throw malformed(DBNOMICS, 'another data set');
    const { frequency } = readObservations(doc, isRecord(doc.dimensions) ? doc.dimensions : {});
    const facets = Object.entries(readRecord(DBNOMICS, reply.series_dimensions_facets ?? {}));
    return { frequency, count: found, values: new Map(facets.map(([field, facet]) => [field, readFacet(facet)])) };
  };
  return readOrNull(http.getJson(`${url}/series/${formatPath(id)}?${parameters}`, { accept }));
}

function readFacet(value: unknown): Dimension['values'] {
  return readRecords(DBNOMICS, value).flatMap(({ code }) => {
    if (typeof code !== 'string') throw malformed(DBNOMICS, 'a value of a dimension');
    return code === '' ? [] : [{ value: code, label: readTitle(code, code) }];
  });
}

async function requestOneSeries(url: string, id: DbnomicsId, http: ProviderClient): Promise<SeriesStructure | null> {
  const found = await requestSeries(url, id, {}, http);
  if (found === null) return null;
  const { dataset, dimensions, series } = found;
  const labelOf = (name: RegExp): string | null => {
    const [field, value] = Object.entries(dimensions).find(([field]) => name.test(field)) ?? [];
    if (field === undefined || typeof value !== 'string') return null;
    return readLabelsOf(dataset, 'dimensions_values_labels', field).get(value) ?? readTitle(value, value);
  };
  const instants = series.observations.map(({ instant }) => instant);
  return {
    title: found.code,
    units: labelOf(UNITS_FIELD) ?? '',
    multiplier: null,
    seasonalAdjustment: labelOf(SEASONAL_FIELD),
    publisher: formatPublisher(dataset, id),
    lastUpdate: readLastUpdate(dataset),
    notes: readNotes(dataset.notes, dataset.description),
    ...series.details,
    dimensions: [],
    frequency: series.frequency,
    span: instants.length === 0 ? null : { first: minimum(instants), last: maximum(instants) },
    firstVintage: null,
  };
}

function minimum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}

function maximum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b));
}
