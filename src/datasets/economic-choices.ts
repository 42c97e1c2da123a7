import { type EconomicReference, Fault, type SeriesDescription } from '../contract/index.ts';

/** What a reference chose of a series, defaults filled in. */
export interface EconomicChoices {
  readonly value: SeriesDescription['values'][number];
  /** In the order of the description, whatever the order of the caller. */
  readonly dimensions: Readonly<Record<string, string>>;
}

const MAX_NAMED = 20;

/** Checks a reference against the description of its series; the fault names the field and what it may be. */
export function chooseFrom(description: SeriesDescription, reference: EconomicReference): EconomicChoices {
  return { value: chooseValue(description, reference), dimensions: chooseDimensions(description, reference) };
}

function chooseValue({ values }: SeriesDescription, { series_id, value_field }: EconomicReference) {
  const fields = values.map(({ field }) => field);
  const [only] = values;
  if (value_field === undefined) {
    if (only !== undefined && values.length === 1) return only;
    throw invalid('source.value_field', `is required: ${series_id} has several values, ${say(fields)}`);
  }
  const chosen = values.find(({ field }) => field === value_field);
  if (chosen !== undefined) return chosen;
  throw invalid('source.value_field', `must be one of ${say(fields)}`);
}

function chooseDimensions({ dimensions }: SeriesDescription, reference: EconomicReference): Record<string, string> {
  const asked = new Map(Object.entries(reference.dimensions ?? {}));
  const fields = dimensions.map(({ field }) => field);
  for (const field of asked.keys()) {
    if (fields.includes(field)) continue;
    const known = fields.length === 0 ? 'has no dimensions' : `has the dimensions ${say(fields)}`;
    throw invalid(`source.dimensions.${field}`, `is unknown: ${reference.series_id} ${known}`);
  }
  const chosen = dimensions.flatMap(({ field, required, values }) => {
    const value = asked.get(field);
    const allowed = values?.map((one) => one.value);
    const choices = allowed === undefined ? '' : `: one of ${say(allowed)}`;
    if (value === undefined) {
      if (required) throw invalid(`source.dimensions.${field}`, `is required${choices}`);
      return [];
    }
    if (allowed?.includes(value) === false)
      throw invalid(`source.dimensions.${field}`, `must be one of ${say(allowed)}`);
    return [[field, value] as const];
  });
  return Object.fromEntries(chosen);
}

function invalid(field: string, why: string): Fault {
  return new Fault('INVALID_REQUEST', `${field}: ${why}.`);
}

function say(choices: readonly string[]): string {
  const named = choices.slice(0, MAX_NAMED).map((choice) => JSON.stringify(choice));
  const more = choices.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
