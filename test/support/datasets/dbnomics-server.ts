import {
  startWireServer,
  type WireReply,
  type WireRequest,
  type WireServer,
  WireText,
} from '../platform/wire-server.ts';

/** One observation: the period, its first day, the value, and the mark of the value. */
export type DbnomicsObservation = readonly [
  period: string,
  startDay: string,
  value: number | 'NA' | null,
  status?: string | null,
];

export interface DbnomicsSeries {
  readonly code: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** What the field @frequency states. */
  readonly frequency: string;
  readonly observations: readonly DbnomicsObservation[];
  /** The name of the attribute with the marks. Default: no attribute. */
  readonly statusAttribute?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface DbnomicsDataset {
  readonly code: string;
  readonly name: string;
  readonly description?: string;
  /** Further fields, such as dimensions_codes_order, dimensions_labels and dimensions_values_labels. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly series: readonly DbnomicsSeries[];
}

export interface DbnomicsPublisher {
  readonly code: string;
  readonly name: string;
  readonly datasets: readonly DbnomicsDataset[];
  /** Default: a list of the data sets. */
  readonly categoryTree?: unknown;
}

const VERSION = '22.1.17';
const INDEXED_AT = '2026-10-06T04:11:52.318Z';

/** A reply other than 200. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Starts a server that speaks version 22 of the protocol of DBnomics, and refuses what DBnomics refuses.
 *
 * @example await using server = await startDbnomicsServer({ publishers: [{ code: 'AMECO', name: 'AMECO', datasets }] });
 */
export function startDbnomicsServer(options: {
  /** Read at every request, so that a test can change them. */
  readonly publishers: readonly DbnomicsPublisher[];
}): Promise<WireServer> {
  return startWireServer((request): WireReply => {
    try {
      return { status: 200, body: answer(options.publishers, request) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The framework answers addresses without a handler.
      const html = new WireText('<!doctype html>\n<title>404 Not Found</title>', 'text/html; charset=utf-8');
      const body = error.message === '' ? html : { _meta: { args: {}, version: VERSION }, message: error.message };
      return { status: error.status, body };
    }
  });
}

type Arguments = Readonly<Record<string, unknown>>;

function answer(publishers: readonly DbnomicsPublisher[], { path, query }: WireRequest): unknown {
  const [, version, resource, ...encoded] = path.split('/');
  const parts = encoded.map(decodeURIComponent);
  const [providerCode, datasetCode, seriesCode] = parts;
  if (version !== 'v22' || parts.includes('')) throw new Refusal(404, '');
  const resources: Readonly<Record<string, () => unknown>> = {
    'providers/0': () => {
      const args = readArguments(query, { limit: [1_000, 1_000], offset: [0, 1e9] });
      const nbDatasets = publishers.flatMap(({ datasets }) => datasets).length;
      return { _meta: metaOf(args), nb_datasets: nbDatasets, providers: pageOf(publishers.map(providerOf), args) };
    },
    'providers/1': () => {
      const provider = findPublisher(publishers, providerCode);
      const list = provider.datasets.map(({ code, name }) => ({ code, name }));
      return {
        _meta: metaOf(readArguments(query, {})),
        category_tree: provider.categoryTree === undefined ? list : provider.categoryTree,
        provider: providerOf(provider),
      };
    },
    'datasets/2': () => {
      const args = readArguments(query, { limit: [50, 500], offset: [0, 1e9] });
      const provider = findPublisher(publishers, providerCode);
      const dataset = datasetOf(provider, findDataset(provider, datasetCode));
      return { _meta: metaOf(args), datasets: pageOf([dataset], args), provider: providerOf(provider) };
    },
    'series/2': () => listSeries(publishers, query, parts),
    'series/3': () => listSeries(publishers, query, parts, seriesCode),
    'search/0': () => search(publishers, query),
  };
  const handle = resources[`${resource}/${parts.length}`];
  if (handle === undefined) throw new Refusal(404, '');
  return handle();
}

function metaOf(args: Arguments): unknown {
  return { args, version: VERSION };
}

function pageOf(docs: readonly unknown[], { limit, offset }: Arguments): Record<string, unknown> {
  const page = docs.slice(Number(offset), Number(offset) + Number(limit));
  return { docs: page, limit, num_found: docs.length, offset };
}

/** Reads numbers, each with its default and its maximum, switches (false) and texts (null). */
function readArguments(
  query: Readonly<Record<string, string>>,
  known: Readonly<Record<string, readonly [number, number] | false | null>>,
): Arguments {
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    throw new Refusal(400, `Invalid value ${JSON.stringify(query)} (dict): additional properties: ['${unknown}']`);
  }
  const entries = Object.entries(known).map(([name, kind]) => {
    const text = query[name];
    if (kind === null) return [name, text ?? ''];
    if (kind === false) return [name, text === undefined ? name === 'metadata' : ['1', 'true'].includes(text)];
    const [preset, maximum] = kind;
    const value = text === undefined ? preset : Number(text);
    if (!Number.isInteger(value) || value < 0) throw new Refusal(400, `Invalid value '${text}' (str): (at ${name})`);
    if (value <= maximum) return [name, value];
    throw new Refusal(400, `Invalid value ${value} (int): must not be larger than ${maximum} (at ${name})`);
  });
  return Object.fromEntries(entries);
}

function findPublisher(publishers: readonly DbnomicsPublisher[], wanted: string | undefined): DbnomicsPublisher {
  const provider = publishers.find(({ code }) => code === wanted);
  if (provider === undefined) throw new Refusal(404, `Provider '${wanted}' not found`);
  return provider;
}

function findDataset({ code: provider, datasets }: DbnomicsPublisher, wanted: string | undefined): DbnomicsDataset {
  const isWanted = (code: string) =>
    wanted?.endsWith(':latest') ? code.startsWith(wanted.slice(0, -'latest'.length)) : code === wanted;
  const dataset = datasets.findLast(({ code }) => isWanted(code));
  if (dataset === undefined) throw new Refusal(404, `Dataset '${provider}/${wanted}' not found`);
  return dataset;
}

function providerOf({ code, name }: DbnomicsPublisher): Record<string, unknown> {
  const slug = code.toLowerCase();
  return { code, indexed_at: INDEXED_AT, name, region: 'World', slug, terms_of_use: 'https://example.org/terms' };
}

function datasetOf(provider: DbnomicsPublisher, dataset: DbnomicsDataset): Record<string, unknown> {
  const { code, name, description, fields, series } = dataset;
  return {
    code,
    ...(description !== undefined && { description }),
    ...fields,
    indexed_at: INDEXED_AT,
    name,
    nb_series: series.length,
    provider_code: provider.code,
    provider_name: provider.name,
  };
}

function listSeries(
  publishers: readonly DbnomicsPublisher[],
  query: Readonly<Record<string, string>>,
  [providerCode, datasetCode]: readonly string[],
  code?: string,
): unknown {
  const args = readArguments(query, {
    ...(code === undefined && { dimensions: null }),
    ...{ q: null, facets: false, observations: false, metadata: false, align_periods: false, format: null },
    ...{ limit: [1_000, 1_000], offset: [0, 1e9] },
  });
  const provider = findPublisher(publishers, providerCode);
  const dataset = findDataset(provider, datasetCode);
  const found = code === undefined ? filterSeries(dataset, args.dimensions) : findSeries(dataset, code);
  if (code !== undefined && found.length === 0) {
    throw new Refusal(404, `Series '${provider.code}/${dataset.code}/${code}' not found`);
  }
  const docs = found.map((series) => seriesOf(provider, dataset, series, args.observations === true));
  return {
    _meta: metaOf(args),
    ...(args.metadata === true && { dataset: datasetOf(provider, dataset), provider: providerOf(provider) }),
    errors: null,
    series: pageOf(docs, args),
    ...(args.facets === true && { series_dimensions_facets: countValues(found) }),
  };
}

function filterSeries({ series }: DbnomicsDataset, text: unknown): readonly DbnomicsSeries[] {
  if (text === '') return series;
  let filter: Record<string, readonly string[]>;
  try {
    filter = JSON.parse(String(text));
  } catch {
    throw new Refusal(400, `Invalid value '${text}' (str): must be a JSON object (at dimensions)`);
  }
  const wanted = Object.entries(filter);
  return series.filter(({ dimensions }) =>
    wanted.every(([field, values]) => values.includes(dimensions[field] as string)),
  );
}

/** Returns the series with a code. A code that no series has is a mask: A.FR+DE for two countries, A. for all. */
function findSeries({ series }: DbnomicsDataset, code: string): readonly DbnomicsSeries[] {
  const named = series.filter((one) => one.code === code);
  if (named.length > 0) return named;
  const mask = code.split('.').map((part) => part.split('+'));
  return series.filter((one) => {
    const parts = one.code.split('.');
    return mask.length <= parts.length && mask.every((any, index) => any[0] === '' || any.includes(parts[index] ?? ''));
  });
}

function seriesOf(
  provider: DbnomicsPublisher,
  dataset: DbnomicsDataset,
  { code, name, dimensions, frequency, observations, statusAttribute, attributes }: DbnomicsSeries,
  hasObservations: boolean,
): Record<string, unknown> {
  const marks = observations.map(([, , , status]) => status ?? null);
  // A mark that all observations share is not repeated.
  const values = new Set(marks).size === 1 && typeof marks[0] === 'string' ? marks[0] : marks;
  return {
    '@frequency': frequency,
    ...(attributes !== undefined && { attributes }),
    dataset_code: dataset.code,
    dataset_name: dataset.name,
    dimensions,
    indexed_at: INDEXED_AT,
    ...(hasObservations && {
      ...(statusAttribute !== undefined && {
        observations_attributes: [
          ['OBS_CONF', 'F'],
          [statusAttribute, values],
        ],
      }),
      period: observations.map(([period]) => period),
      period_start_day: observations.map(([, startDay]) => startDay),
      value: observations.map(([, , value]) => value),
    }),
    provider_code: provider.code,
    series_code: code,
    series_name: name,
  };
}

function countValues(series: readonly DbnomicsSeries[]): unknown {
  const fields = [...new Set(series.flatMap(({ dimensions }) => Object.keys(dimensions)))];
  const facets = fields.map((field) => {
    const counts = Map.groupBy(series, ({ dimensions }) => dimensions[field]);
    return [field, [...counts].map(([code, { length: count }]) => ({ code, count }))];
  });
  return Object.fromEntries(facets);
}

/** Finds the data sets whose names contain all words. */
function search(publishers: readonly DbnomicsPublisher[], query: Readonly<Record<string, string>>): unknown {
  const args = readArguments(query, { q: null, limit: [10, 100], offset: [0, 1e9] });
  const words = String(args.q).toLowerCase().split(/\s+/);
  const docs = publishers.flatMap((provider) =>
    provider.datasets
      .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      .map((dataset) => {
        const { fields } = dataset;
        const found = Object.entries(datasetOf(provider, dataset)).filter(([field]) => !Object.hasOwn(fields, field));
        return {
          ...Object.fromEntries(found),
          nb_matching_series: dataset.series.length,
          id: `${provider.code}/${dataset.code}`,
          type: 'dataset',
        };
      }),
  );
  return { _meta: metaOf(args), results: pageOf(docs, args) };
}
