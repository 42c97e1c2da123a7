import { malformed, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import type { Dimension, FrequencyByDimension, ListedEntry, SeriesStructure, StatedFrequency } from '../provider.ts';
import {
  type DataFlow,
  type DataStructure,
  type Maintained,
  readStructures,
  type StructureDimension,
  type StructureMessage,
} from '../sdmx/read-structures.ts';
import { ADJUSTMENT_DIMENSIONS, ECB, frequencyOf } from './ecb-codes.ts';
import { PUBLISHER } from './ecb-series.ts';
import { isFlow } from './ecb-series-id.ts';

/** The agency that maintains the data flows. Their structures may belong to others. */
const AGENCY = 'ECB';
const FREQUENCY = 'FREQ';
/** The ECB offers metadata in this format only. */
const HEADERS = { accept: 'application/vnd.sdmx.structure+xml;version=2.1' };
/** Structures contain whole code lists, some of which have thousands of codes. */
const MAX_BYTES = 40 * 1024 * 1024;
const ATTEMPT_MS = 20_000;
const BATCH_SIZE = 200;
/** A name that is not a number, because objects with numbers as fields do not keep the order of their fields. */
const FIELD = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Yields the data flows. */
export async function* readFlows(url: string, http: ProviderClient): AsyncGenerator<readonly ListedEntry[]> {
  const entries = await requestStructures(`${url}/dataflow/${AGENCY}`, http, ({ flows }) => {
    // A flow with another form of id could not be requested.
    const known = new Map(flows.filter(({ id }) => isFlow(id)).map((flow) => [flow.id, listFlow(flow)]));
    if (known.size === 0) throw malformed(ECB, 'no data flows');
    return [...known.values()];
  });
  for (let from = 0; from < entries.length; from += BATCH_SIZE) yield entries.slice(from, from + BATCH_SIZE);
}

function listFlow({ id, label }: DataFlow): ListedEntry {
  const keywords = id.split('_').filter((word) => word !== '');
  return { seriesId: id, title: label, keywords, frequency: null, units: '', span: null, lastUpdate: null };
}

/**
 * Reads the structure of a data flow; null if there is no such flow. Throws a `ProviderError` with the fault REJECTED if
 * the values of a dimension are not listed: such a reply is valid, and the series of the flow are found by their keys.
 */
export async function readFlowStructure(
  url: string,
  flowId: string,
  http: ProviderClient,
): Promise<SeriesStructure | null> {
  const flow = await requestFlow(url, flowId, http);
  if (flow === null) return null;
  if (flow.structure === null) throw notListed();
  const requested = flow.structure;
  const { agency, id, version } = requested;
  const path = ['datastructure', agency, id, version].map(encodeURIComponent).join('/');
  const describe = (message: StructureMessage) => describeFlow(flow.label, requested, message);
  const structure = await requestStructures(`${url}/${path}?references=children`, http, describe);
  if (structure === null) throw notListed();
  return structure;
}

function notListed(): ProviderError {
  return new ProviderError(ECB, 'REJECTED', 'it does not list the values of all dimensions; use the key of a series');
}

async function requestFlow(url: string, id: string, http: ProviderClient): Promise<DataFlow | null> {
  try {
    return await requestStructures(`${url}/dataflow/${AGENCY}/${encodeURIComponent(id)}`, http, ({ flows }) => {
      const flow = flows.find((listed) => listed.id === id);
      if (flow === undefined) throw malformed(ECB, 'another data flow');
      return flow;
    });
  } catch (error) {
    if (error instanceof ProviderError && error.fault === 'NOT_FOUND') return null;
    throw error;
  }
}

function requestStructures<Result>(
  url: string,
  http: ProviderClient,
  accept: (message: StructureMessage) => Result,
): Promise<Result> {
  return http.getBytes(url, {
    headers: HEADERS,
    maxBytes: MAX_BYTES,
    attemptMs: ATTEMPT_MS,
    accept: async (bytes) => accept(await readStructures(ECB, bytes)),
  });
}

/** Returns the structure of a flow; null if the values of a dimension are not listed. */
function describeFlow(title: string, requested: Maintained, message: StructureMessage): SeriesStructure | null {
  const structure = message.structures.find(({ agency, id, version }) => {
    return agency === requested.agency && id === requested.id && version === requested.version;
  });
  if (structure === undefined || structure.dimensions.length === 0) throw malformed(ECB, 'another structure');
  const described = structure.dimensions.map((dimension) => describeDimension(dimension, message));
  const dimensions = described.filter((dimension) => dimension !== null);
  if (dimensions.length < described.length) return null;
  const unitsDimension = findUnitsDimension(structure);
  const seasonalDimension = ADJUSTMENT_DIMENSIONS.find((field) => hasDimension(structure, field));
  return {
    title,
    units: '',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: PUBLISHER,
    lastUpdate: null,
    notes: null,
    dimensions,
    frequency: describeFrequency(dimensions),
    ...(unitsDimension !== undefined && { unitsDimension }),
    ...(seasonalDimension !== undefined && { seasonalDimension }),
    span: null,
    firstVintage: null,
  };
}

/** Returns a dimension; null if its values are not listed, because a dimension can also be any text of a form. */
function describeDimension(
  { id, concept, codeList }: StructureDimension,
  { concepts, codeLists }: StructureMessage,
): Dimension | null {
  if (!FIELD.test(id)) throw malformed(ECB, 'the name of a dimension');
  const described = concept === null ? undefined : concepts.get(concept);
  // The code lists of dimensions are children of the structure. Those of concepts are not, and may be missing.
  if (codeList !== null && !codeLists.has(codeList)) throw malformed(ECB, 'a code list is missing');
  const values = codeLists.get(codeList ?? described?.codeList ?? '') ?? [];
  if (values.length === 0) return null;
  if (new Set(values.map(({ value }) => value)).size !== values.length) throw malformed(ECB, 'two codes with one name');
  return { field: id, label: described?.label ?? id, values };
}

function describeFrequency(dimensions: readonly Dimension[]): StatedFrequency | FrequencyByDimension {
  const dimension = dimensions.find(({ field }) => field === FREQUENCY);
  if (dimension === undefined) return { unsupported: 'irregular' };
  const byValue = Object.fromEntries(dimension.values.map(({ value }) => [value, frequencyOf(value)]));
  return { dimension: FREQUENCY, byValue };
}

/** Returns the dimension that names the units, unless the data has them as an attribute. */
function findUnitsDimension(structure: DataStructure): string | undefined {
  if (structure.attributes.has('UNIT') || structure.attributes.has('UNIT_MEASURE')) return undefined;
  return ['UNIT', 'UNIT_MEASURE', 'CURRENCY'].find((field) => hasDimension(structure, field));
}

function hasDimension({ dimensions }: DataStructure, field: string): boolean {
  return dimensions.some(({ id }) => id === field);
}
