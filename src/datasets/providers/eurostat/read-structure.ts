import { cleanText, isRecord, malformed, type ProviderClient, ProviderError } from '../../../platform/index.ts';
import { parsePeriod } from '../parse-period.ts';
import type { Dimension, SeriesStructure, StatedFrequency } from '../provider.ts';
import { FREQUENCY_FIELD, frequencyOf, IRREGULAR } from './eurostat-frequency.ts';
import { EUROSTAT, type EurostatId } from './eurostat-ids.ts';
import { type Cube, MAX_TEXT_LENGTH } from './read-cube.ts';
import { requestCube } from './request-cube.ts';

export const UNITS_FIELD = 'unit';
export const SEASONAL_FIELD = 's_adj';
export const PUBLISHER = 'Eurostat';

/**
 * Returns the cube of a data set with all values of its dimensions and at most the cells of one period; null if there
 * is no such data set. Throws a `ProviderError` with the fault TOO_LARGE if Eurostat sends no such cube in one reply.
 */
export async function readDimensions(url: string, code: string, http: ProviderClient): Promise<Cube | null> {
  // No period has this name. The reply thus has all values of all other dimensions, but no cells, and is small.
  const parameters = [['time_period', 'null']] as const;
  const read = (cube: Cube) => (isComplete(cube) ? cube : null);
  const empty = await requestCube({ url, code, parameters, read }, http);
  if (empty === 'not_found') return null;
  if (empty !== null && typeof empty !== 'string') return empty;
  return readLastPeriod(url, code, http);
}

/**
 * Returns the cube of the last period. The request for no period relies on behavior that is not documented, and this
 * one does not, but its cells can be too many for a reply.
 */
async function readLastPeriod(url: string, code: string, http: ProviderClient): Promise<Cube | null> {
  const parameters = [['lastTimePeriod', '1']] as const;
  const read = (cube: Cube) => {
    if (!isComplete(cube)) throw malformed(EUROSTAT, 'a dimension without values');
    return cube;
  };
  const last = await requestCube({ url, code, parameters, read }, http);
  if (last === 'not_found' || last === 'no_results') return null;
  if (last === 'too_large') throw new ProviderError(EUROSTAT, 'TOO_LARGE', 'the dimensions of a data set');
  if (last === 'rejected') throw new ProviderError(EUROSTAT, 'REJECTED');
  return last;
}

function isComplete({ dimensions }: Cube): boolean {
  return dimensions.every(({ values }) => values.length > 0);
}

/**
 * Returns the chosen value of each dimension by its field; null if the key has another number of values or a value that
 * the data set does not have.
 */
export function matchKey({ dimensions }: Cube, key: readonly string[]): ReadonlyMap<string, string> | null {
  if (key.length !== dimensions.length) return null;
  const chosen = new Map<string, string>();
  for (const [i, { field, values }] of dimensions.entries()) {
    const part = key[i] as string;
    if (!values.some(({ value }) => value === part)) return null;
    chosen.set(field, part);
  }
  return chosen;
}

/** Returns the structure of a series id; null if there is no such data set or value. */
export async function readStructure(
  url: string,
  { code, key }: EurostatId,
  http: ProviderClient,
): Promise<SeriesStructure | null> {
  const cube = await readDimensions(url, code, http);
  if (cube === null) return null;
  if (key === null) return describeDataSet(cube);
  const chosen = matchKey(cube, key);
  return chosen === null ? null : describeSeries(cube, chosen);
}

function describeDataSet(cube: Cube): SeriesStructure {
  const { dimensions } = cube;
  const has = (field: string) => dimensions.some((dimension) => dimension.field === field);
  const frequencies = dimensions.find(({ field }) => field === FREQUENCY_FIELD);
  return {
    ...describeBoth(cube),
    dimensions,
    frequency:
      frequencies === undefined
        ? frequencyOfLast(cube)
        : {
            dimension: FREQUENCY_FIELD,
            byValue: Object.fromEntries(frequencies.values.map(({ value }) => [value, frequencyOf(value)])),
          },
    ...(has(UNITS_FIELD) && { unitsDimension: UNITS_FIELD }),
    ...(has(SEASONAL_FIELD) && { seasonalDimension: SEASONAL_FIELD }),
  };
}

function describeSeries(cube: Cube, chosen: ReadonlyMap<string, string>): SeriesStructure {
  const labels = cube.dimensions.map((dimension) => labelOf(dimension, chosen));
  const labelFor = (name: string) => labels[cube.dimensions.findIndex(({ field }) => field === name)];
  const both = describeBoth(cube);
  const frequency = chosen.get(FREQUENCY_FIELD);
  return {
    ...both,
    title: cleanText(`${both.title}: ${labels.join(', ')}`, MAX_TEXT_LENGTH),
    // That of the whole data set does not hold for each series.
    span: null,
    units: labelFor(UNITS_FIELD) ?? '',
    seasonalAdjustment: labelFor(SEASONAL_FIELD) ?? null,
    dimensions: [],
    frequency: frequency === undefined ? frequencyOfLast(cube) : frequencyOf(frequency),
  };
}

function describeBoth(cube: Cube) {
  return {
    title: cube.title,
    units: '',
    // Units of Eurostat contain their multiplier, such as "Million euro".
    multiplier: null,
    seasonalAdjustment: null,
    publisher: PUBLISHER,
    lastUpdate: cube.lastUpdate,
    notes: null,
    span: readSpan(cube),
    firstVintage: null,
  } as const;
}

function labelOf({ field, values }: Dimension, chosen: ReadonlyMap<string, string>): string {
  const value = chosen.get(field) as string;
  return values.find((one) => one.value === value)?.label ?? value;
}

/** Returns the frequency of a data set without a dimension for it. */
function frequencyOfLast(cube: Cube): StatedFrequency {
  return parsePeriod(readAnnotation(cube, 'OBS_PERIOD_OVERALL_LATEST'))?.stated ?? IRREGULAR;
}

function readSpan(cube: Cube): SeriesStructure['span'] {
  const first = parsePeriod(readAnnotation(cube, 'OBS_PERIOD_OVERALL_OLDEST'));
  const last = parsePeriod(readAnnotation(cube, 'OBS_PERIOD_OVERALL_LATEST'));
  if (first === null || last === null || first.instant > last.instant) return null;
  return { first: first.instant, last: last.instant };
}

/** Returns the title of an annotation of the data set; an empty text if there is none. */
function readAnnotation({ extension: { annotation } }: Cube, type: string): string {
  const found = Array.isArray(annotation) ? annotation.find((one) => isRecord(one) && one.type === type) : undefined;
  return isRecord(found) && typeof found.title === 'string' ? found.title : '';
}
