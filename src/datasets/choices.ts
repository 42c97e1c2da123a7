import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import {
  dimensionRequired,
  dimensionUnknown,
  dimensionValueUnknown,
  valueFieldRequired,
  valueFieldUnknown,
} from './faults.ts';
import { nearestValues } from './nearest-values.ts';

const MAX_CHOICES_SHOWN = 20;

/** Returns the value field that a reference chooses; the only one is the default. */
export function chooseValue({ values }: SeriesDescription, { series_id, value_field }: EconomicReference) {
  const choices = formatChoices(values.map(({ field }) => field));
  if (value_field === undefined) {
    const [only] = values;
    if (only !== undefined && values.length === 1) return only;
    throw valueFieldRequired(series_id, choices);
  }
  const chosen = values.find(({ field }) => field === value_field);
  if (chosen === undefined) throw valueFieldUnknown(choices);
  return chosen;
}

/**
 * Returns the values of dimensions that a reference chooses, in the order of the description. The only value of a
 * dimension is its default. Throws a fault that names the invalid dimension and its values.
 */
export function chooseDimensions(
  description: SeriesDescription,
  reference: EconomicReference,
  { isPartial = false } = {},
): Record<string, string> {
  const requested = new Map(Object.entries(reference.dimensions ?? {}));
  const fields = description.dimensions.map(({ field }) => field);
  for (const field of requested.keys()) {
    if (!fields.includes(field)) throw dimensionUnknown(field, reference.series_id, formatChoices(fields));
  }
  const chosen = description.dimensions.flatMap(({ field, required, values }) => {
    const value = requested.get(field) ?? (values?.length === 1 ? values[0]?.value : undefined);
    const choices = values?.map((choice) => choice.value) ?? null;
    if (value === undefined) {
      if (required && !isPartial) throw dimensionRequired(field, formatChoices(choices ?? []));
      return [];
    }
    if (choices?.includes(value) === false) throw dimensionValueUnknown(field, formatNearest(values ?? [], value));
    return [[field, value] as const];
  });
  return Object.fromEntries(chosen);
}

type Values = NonNullable<SeriesDescription['dimensions'][number]['values']>;

function formatNearest(values: Values, wrong: string): string {
  const count = values.length - MAX_CHOICES_SHOWN;
  if (count <= 0) return `must be one of ${formatChoices(values.map(({ value }) => value))}`;
  const nearest = nearestValues(values, wrong, MAX_CHOICES_SHOWN).map(({ value }) => value);
  return `must be one of ${values.length} values, of which the nearest are ${formatChoices(nearest)}`;
}

function formatChoices(choices: readonly string[]): string {
  const shown = choices.slice(0, MAX_CHOICES_SHOWN).map((choice) => JSON.stringify(choice));
  const more = choices.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
