import { isRecord, malformed } from '../../../platform/index.ts';
import { type ParsedPeriod, parsePeriod } from '../parse-period.ts';
import type { RawObservation, RawSeries, SeriesDetails, StatedFrequency } from '../provider.ts';
import { FREQUENCY_FIELD, frequencyOf, IRREGULAR } from './eurostat-frequency.ts';
import { EUROSTAT } from './eurostat-ids.ts';
import { type Cube, readText } from './read-cube.ts';
import { PUBLISHER, SEASONAL_FIELD, UNITS_FIELD } from './read-structure.ts';

const MAX_OBSERVATIONS = 100_000;
const MAX_FLAG_LENGTH = 16;
/** The week of deaths and the like whose week is not known. */
const UNKNOWN_WEEK = /^\d{4}-W99$/;

/**
 * Returns the observations of a cube that must have exactly the chosen values; null if one of them does not exist or
 * the cube has neither values nor flags. Throws a `ProviderError` with the fault MALFORMED for any other cube.
 */
export function readObservations(cube: Cube, chosen: ReadonlyMap<string, string>): RawSeries | null {
  const { dimensions, periods } = cube;
  if (dimensions.length !== chosen.size) throw malformed(EUROSTAT, 'other dimensions');
  let isEmpty = periods.length === 0;
  for (const { field, values } of dimensions) {
    const value = chosen.get(field);
    if (value === undefined) throw malformed(EUROSTAT, 'other dimensions');
    // Eurostat leaves out a value that the data set does not have.
    if (values.length === 0) isEmpty = true;
    else if (values.length > 1 || values[0]?.value !== value) throw malformed(EUROSTAT, 'another series');
  }
  if (isEmpty) return null;
  if (periods.length > MAX_OBSERVATIONS) throw malformed(EUROSTAT, 'too many observations');
  const values = readCells(cube.value, periods.length, readNumber);
  const flags = readCells(cube.status === undefined ? {} : cube.status, periods.length, readFlag);
  if (values.size === 0 && flags.size === 0) return null;
  return {
    ...readRows(periods, values, flags, statedFrequency(cube, chosen, values)),
    details: readDetails(cube),
    flagLabels: readFlagLabels(cube, new Set(flags.values())),
  };
}

/**
 * Returns the cells by position. JSON-stat has them as a list, or as an object with their positions. As every dimension
 * but the time has one value, the position of a cell is that of its period.
 */
function readCells<Value>(
  cells: unknown,
  count: number,
  read: (cell: unknown) => Value | null,
): ReadonlyMap<number, Value> {
  const found = new Map<number, Value>();
  if (Array.isArray(cells) ? cells.length !== count : !isRecord(cells)) throw malformed(EUROSTAT, 'cells');
  for (const [position, cell] of Object.entries(cells as object)) {
    if (!/^(0|[1-9]\d{0,8})$/.test(position) || Number(position) >= count) throw malformed(EUROSTAT, 'a cell');
    const value = read(cell);
    if (value !== null) found.set(Number(position), value);
  }
  return found;
}

/** Returns the number in a cell; null if it is missing. */
function readNumber(cell: unknown): number | null {
  if (cell === null || cell === ':') return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell)) throw malformed(EUROSTAT, 'a value');
  return cell;
}

/** Returns the flag in a cell; null if there is none. A bar separates it from the mark of confidential values. */
function readFlag(cell: unknown): string | null {
  if (cell === null || cell === '') return null;
  const flag = readText(cell);
  if (flag === null || flag.length > MAX_FLAG_LENGTH) throw malformed(EUROSTAT, 'a flag');
  return trimBars(flag);
}

function trimBars(text: string): string {
  return text.startsWith('|') ? text.slice(1) : text;
}

/** Returns the frequency of the chosen value, or that of the first value if the data set has no such dimension. */
function statedFrequency(
  { periods }: Cube,
  chosen: ReadonlyMap<string, string>,
  values: ReadonlyMap<number, number>,
): StatedFrequency {
  const value = chosen.get(FREQUENCY_FIELD);
  if (value !== undefined) return frequencyOf(value);
  const [first = 0] = values.keys();
  return parsePeriod(periods[first] as string)?.stated ?? IRREGULAR;
}

function readRows(
  periods: readonly string[],
  values: ReadonlyMap<number, number>,
  flags: ReadonlyMap<number, string>,
  stated: StatedFrequency,
): Pick<RawSeries, 'frequency' | 'observations' | 'footnotes'> {
  // The periods of other frequencies have names of their own, such as 2024-T1, and no use.
  if (!('frequency' in stated)) return { frequency: stated, observations: [], footnotes: [] };
  const observations: RawObservation[] = [];
  let undated = 0;
  for (const [position, text] of periods.entries()) {
    const value = values.get(position);
    const flag = flags.get(position);
    if (UNKNOWN_WEEK.test(text)) {
      if (value !== undefined) undated++;
      continue;
    }
    const period = parsePeriod(text);
    if (period === null) throw malformed(EUROSTAT, 'a period');
    if (hasFrequency(period, stated)) observations.push({ instant: period.instant, value: value ?? Number.NaN, flag });
    // A data set with several frequencies lists the periods of all of them.
    else if (value !== undefined || flag !== undefined) throw malformed(EUROSTAT, 'a period of another frequency');
  }
  const footnotes = undated === 0 ? [] : [`Values without a known week (W99) are left out: ${undated}.`];
  return { frequency: stated, observations, footnotes };
}

function hasFrequency({ stated }: ParsedPeriod, { frequency }: { readonly frequency: string }): boolean {
  return 'frequency' in stated && stated.frequency === frequency;
}

function readDetails({ dimensions, lastUpdate }: Cube): Partial<SeriesDetails> {
  const labelFor = (name: string) => dimensions.find(({ field }) => field === name)?.values[0]?.label;
  const units = labelFor(UNITS_FIELD);
  const seasonalAdjustment = labelFor(SEASONAL_FIELD);
  return {
    publisher: PUBLISHER,
    ...(units !== undefined && { units }),
    ...(seasonalAdjustment !== undefined && { seasonalAdjustment }),
    ...(lastUpdate !== null && { lastUpdate }),
  };
}

/** Returns the labels of the flags that occur. */
function readFlagLabels({ extension: { status } }: Cube, flags: ReadonlySet<string>): RawSeries['flagLabels'] {
  const labels = isRecord(status) && isRecord(status.label) ? Object.entries(status.label) : [];
  return Object.fromEntries(
    labels.flatMap(([flag, text]) => {
      const label = readText(text);
      return label !== null && flags.has(trimBars(flag))
        ? [[trimBars(flag), trimBars(label).replaceAll('|', ', ')]]
        : [];
    }),
  );
}
