import {
  cleanText,
  malformed,
  type ProviderClient,
  ProviderError,
  type ProviderFault,
} from '../../../platform/index.ts';
import type { RawObservation, RawSeries, Selection, SeriesDetails, SeriesStructure } from '../provider.ts';
import { SDMX_ID } from '../sdmx/read-structures.ts';
import { ADJUSTMENT_DIMENSIONS, adjustmentLabel, ECB, statusLabel, unitLabel } from './ecb-codes.ts';
import { type DataReply, MAX_TEXT_LENGTH, type RequestedSeries, readDataReply } from './ecb-data-reply.ts';
import { formatKey, parseSeriesId } from './ecb-series-id.ts';

export const PUBLISHER = 'European Central Bank';

/** Reads the observations of a series; null if there is no such series. */
export async function readSeries(
  url: string,
  { seriesId, dimensions }: Selection,
  http: ProviderClient,
): Promise<RawSeries | null> {
  const id = parseSeriesId(seriesId);
  if (id === null) return null;
  const key = id.key ?? formatKey(Object.values(dimensions));
  if (key === null) return null;
  const series = { flow: id.flow, key, dimensions: id.key === null ? dimensions : null };
  return requestData(url, series, {}, http, (reply) => ({
    frequency: reply.frequency,
    observations: reply.observations,
    details: readDetails(reply, series),
    flagLabels: labelFlags(reply.observations),
    footnotes: reply.comments,
  }));
}

function labelFlags(observations: readonly RawObservation[]): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const { flag } of observations) {
    const label = flag === undefined ? undefined : statusLabel(flag);
    if (flag !== undefined && label !== undefined) labels.set(flag, label);
  }
  return Object.fromEntries(labels);
}

/** Reads the structure of one series, whose only source is its data; null if there is no such series. */
export async function readSeriesStructure(
  url: string,
  flow: string,
  key: string,
  http: ProviderClient,
): Promise<SeriesStructure | null> {
  const series = { flow, key, dimensions: null };
  return requestData(url, series, { lastNObservations: '1' }, http, (reply) => ({
    title: `${flow}/${key}`,
    units: '',
    multiplier: null,
    seasonalAdjustment: null,
    publisher: PUBLISHER,
    lastUpdate: null,
    notes: null,
    ...readDetails(reply, series),
    dimensions: [],
    frequency: reply.frequency,
    span: null,
    firstVintage: null,
  }));
}

async function requestData<Result>(
  url: string,
  series: RequestedSeries,
  parameters: Readonly<Record<string, string>>,
  http: ProviderClient,
  convert: (reply: DataReply) => Result,
): Promise<Result | null> {
  const query = new URLSearchParams({ format: 'csvdata', ...parameters });
  const path = `data/${encodeURIComponent(series.flow)}/${encodeURIComponent(series.key)}`;
  // A key that does not fit the dimensions of the flow is a syntax error.
  const absent: readonly ProviderFault[] = series.dimensions === null ? ['NOT_FOUND', 'REJECTED'] : ['NOT_FOUND'];
  const accept = async (text: string) => {
    const reply = await readDataReply(text, series);
    return reply === null ? null : convert(reply);
  };
  try {
    return await http.getText(`${url}/${path}?${query}`, { accept });
  } catch (error) {
    if (error instanceof ProviderError && absent.includes(error.fault)) return null;
    throw error;
  }
}

/** Returns what the reply states. Dimensions of a data set are left to its structure, which has their labels. */
function readDetails(reply: DataReply, { dimensions }: RequestedSeries): Partial<SeriesDetails> {
  const title = cleanText(reply.attribute('TITLE_COMPL') || reply.attribute('TITLE'), MAX_TEXT_LENGTH);
  const units = ['UNIT', 'UNIT_MEASURE']
    .filter((column) => dimensions === null || !Object.hasOwn(dimensions, column))
    .map((column) => reply.attribute(column))
    .find((code) => code !== '');
  if (units !== undefined && !SDMX_ID.test(units)) throw malformed(ECB, 'units');
  const multiplier = parseMultiplier(reply.attribute('UNIT_MULT'));
  const adjustment = ADJUSTMENT_DIMENSIONS.map((column) => reply.attribute(column)).find((code) => code !== '');
  return {
    ...(title !== '' && { title }),
    ...(units !== undefined && { units: unitLabel(units) }),
    ...(multiplier !== null && { multiplier }),
    ...(dimensions === null && adjustment !== undefined && { seasonalAdjustment: adjustmentLabel(adjustment) }),
  };
}

/** Returns the multiplier that a power of ten names; null if there is none. */
function parseMultiplier(power: string): number | null {
  if (power === '') return null;
  if (!/^-?\d{1,2}$/.test(power)) throw malformed(ECB, 'a multiplier');
  // Unlike 10 ** 23, the text is read as the nearest number.
  return Number(`1e${power}`);
}
