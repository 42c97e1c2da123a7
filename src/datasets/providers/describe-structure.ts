import { periodTimestamp } from '../../calendar/index.ts';
import type { SeriesDescription } from '../../contract/index.ts';
import { REPORTING_PERIODS } from '../economic-provider.ts';
import { VALUE_FIELD } from './build-rows.ts';
import { multiplierOf, withMultiplier } from './multiplier.ts';
import type {
  EconomicAdapter,
  EconomicFrequency,
  FrequencyByDimension,
  SeriesDetails,
  SeriesStructure,
  StatedFrequency,
} from './provider.ts';

type Chosen = Readonly<Record<string, string>>;

const NOT_A_VINTAGE = 'Current revised data is not a point-in-time vintage.';
const MAX_TITLE_LENGTH = 300;

/** Returns the description of a series for the values of its dimensions that are chosen so far. */
export function describeStructure(
  adapter: Pick<EconomicAdapter, 'id' | 'license'>,
  structure: SeriesStructure,
  chosen: Chosen,
): SeriesDescription {
  const stated = statedFrequency(structure, chosen);
  const frequency = stated !== null && 'frequency' in stated ? stated.frequency : null;
  const { span, firstVintage } = structure;
  return {
    provider: adapter.id,
    ...describeDetails(structure, chosen),
    frequency: stated === null ? 'varies' : formatFrequency(stated),
    reporting_period: stated === null ? 'varies' : frequency === null ? 'other' : REPORTING_PERIODS[frequency],
    time_field: 'timestamp',
    dimensions: structure.dimensions.map(({ field, label, values }) => ({
      field,
      label,
      // The only value is the default.
      required: values.length !== 1,
      values: values.map(({ value, label }) => ({ value, label })),
    })),
    span: span === null || frequency === null ? null : formatSpan(frequency, span.first, span.last),
    rows: null,
    vintage: 'revised',
    vintages: firstVintage !== null,
    ...(firstVintage !== null && { first_vintage: firstVintage }),
    license: { ...adapter.license },
  };
}

type DescribedDetails = Pick<
  SeriesDescription,
  'title' | 'values' | 'units' | 'multiplier' | 'seasonal_adjustment' | 'last_update' | 'publisher' | 'notes'
>;

/**
 * Returns the details of a series with chosen values of its dimensions.
 *
 * @param stated what the reply for the chosen series states; it replaces what the structure states
 */
export function describeDetails(
  structure: SeriesStructure,
  chosen: Chosen,
  stated: Partial<SeriesDetails> = {},
): DescribedDetails {
  const { title = formatTitle(structure, chosen), notes = structure.notes } = stated;
  const statedUnits = stated.units || chosenLabel(structure, chosen, structure.unitsDimension) || structure.units;
  const multiplier = stated.multiplier ?? structure.multiplier ?? multiplierOf(statedUnits);
  const units = withMultiplier(statedUnits, multiplier);
  const seasonalAdjustment = stated.seasonalAdjustment ?? chosenLabel(structure, chosen, structure.seasonalDimension);
  return {
    title,
    values: [{ field: VALUE_FIELD, label: title, units }],
    units,
    multiplier,
    seasonal_adjustment: seasonalAdjustment ?? structure.seasonalAdjustment,
    last_update: stated.lastUpdate ?? structure.lastUpdate,
    publisher: stated.publisher ?? structure.publisher,
    notes: notes ? `${notes}\n\n${NOT_A_VINTAGE}` : NOT_A_VINTAGE,
  };
}

/** Returns the span of the rows whose periods contain these instants. */
export function formatSpan(frequency: EconomicFrequency, first: number, last: number): SeriesDescription['span'] {
  const format = (instant: number) => new Date(periodTimestamp(frequency, instant)).toISOString();
  return { start: format(first), end: format(last) };
}

/** @example formatFrequency({ unsupported: 'half-yearly' }) // 'half-yearly' */
export function formatFrequency(stated: StatedFrequency): string {
  return 'frequency' in stated ? stated.frequency : stated.unsupported;
}

/** Returns the frequency for the chosen values; null if it depends on a dimension without a chosen value. */
function statedFrequency({ frequency, dimensions }: SeriesStructure, chosen: Chosen): StatedFrequency | null {
  if (!isByDimension(frequency)) return frequency;
  const { dimension, byValue } = frequency;
  const values = dimensions.find(({ field }) => field === dimension)?.values ?? [];
  const value = Object.hasOwn(chosen, dimension)
    ? chosen[dimension]
    : values.length === 1
      ? values[0]?.value
      : undefined;
  if (value === undefined || !Object.hasOwn(byValue, value)) return null;
  return byValue[value] as StatedFrequency;
}

function isByDimension(frequency: SeriesStructure['frequency']): frequency is FrequencyByDimension {
  return 'dimension' in frequency;
}

/** Adds the labels of the chosen values to the title of a data set, except those that other fields contain. */
function formatTitle(structure: SeriesStructure, chosen: Chosen): string {
  const { title, frequency, unitsDimension, seasonalDimension } = structure;
  const elsewhere = [unitsDimension, seasonalDimension, isByDimension(frequency) ? frequency.dimension : undefined];
  const labels = structure.dimensions.flatMap(({ field }) => {
    const label = elsewhere.includes(field) ? null : chosenLabel(structure, chosen, field);
    return label === null ? [] : [label];
  });
  const whole = labels.length === 0 ? title : `${title} – ${labels.join(', ')}`;
  return whole.length <= MAX_TITLE_LENGTH ? whole : `${whole.slice(0, MAX_TITLE_LENGTH - 1).toWellFormed()}…`;
}

function chosenLabel({ dimensions }: SeriesStructure, chosen: Chosen, field: string | undefined): string | null {
  if (field === undefined || !Object.hasOwn(chosen, field)) return null;
  const values = dimensions.find((dimension) => dimension.field === field)?.values;
  return values?.find(({ value }) => value === chosen[field])?.label ?? null;
}
