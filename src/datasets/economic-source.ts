import { type Cadence, isCompleted, type ReportingFrequency } from '../calendar/index.ts';
import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import type { ListedSeries, SeriesSource, SeriesTable } from '../snapshots/index.ts';
import {
  dimensionRequired,
  dimensionUnknown,
  dimensionValueUnknown,
  providerNotFound,
  seriesNotFound,
  valueFieldRequired,
  valueFieldUnknown,
} from './faults.ts';

/** The rows of a series for one value of each dimension. Every value field is a column. */
export interface EconomicRows {
  readonly table: SeriesTable;
  readonly frequency: ReportingFrequency | '1D';
}

/** A provider of economic series. */
export interface EconomicProvider {
  readonly id: string;
  list(): Promise<readonly ListedSeries[]>;
  /** Returns the description of a series; null if there is no such series. */
  describe(seriesId: string, signal?: AbortSignal): Promise<SeriesDescription | null>;
  /** Returns checked rows for one value of each dimension; null if there is no such series. */
  read(
    seriesId: string,
    dimensions: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<EconomicRows | null>;
}

/** The value field and the dimensions that a reference chooses, with defaults filled in. */
interface EconomicChoices {
  readonly value: SeriesDescription['values'][number];
  /** In the order of the description, whatever the order in the request. */
  readonly dimensions: Readonly<Record<string, string>>;
}

const MAX_CHOICES_SHOWN = 20;

/** Creates the source that offers the series of all economic providers. */
export function createEconomicSource(
  providers: readonly EconomicProvider[],
  clock: { now(): Date },
): SeriesSource<EconomicReference> {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));

  function findProvider({ provider: id }: EconomicReference): EconomicProvider {
    const provider = byId.get(id);
    if (provider === undefined) throw providerNotFound(id);
    return provider;
  }

  async function describe(reference: EconomicReference, signal?: AbortSignal): Promise<SeriesDescription> {
    const description = await findProvider(reference).describe(reference.series_id, signal);
    if (description === null) throw seriesNotFound(reference.provider, reference.series_id);
    return description;
  }

  return {
    type: 'economic_series',

    async list() {
      return (await Promise.all(providers.map((provider) => provider.list()))).flat();
    },

    canonical: (reference) => reference,

    describe,

    /** Published data are public, so every caller of the operation may read them. */
    async authorize() {},

    async read(reference, { cutoff = clock.now().getTime(), limit, signal }) {
      signal?.throwIfAborted();
      const description = await describe(reference, signal);
      const choices = readChoices(description, reference);
      const rows = await findProvider(reference).read(reference.series_id, choices.dimensions, signal);
      if (rows === null) throw seriesNotFound(reference.provider, reference.series_id);
      signal?.throwIfAborted();
      const cadence: Cadence = { frequency: rows.frequency, kind: 'plain' };
      return {
        table: selectCompleted(rows.table, choices.value.field, cadence, cutoff, limit),
        cadence,
        valueField: choices.value.field,
        provider: reference.provider,
        about: describeRows(reference, description, choices),
      };
    },
  };
}

/** Returns the rows that have the value and whose period had ended at the cutoff, as a table with only that value. */
function selectCompleted(
  { timestamps, columns }: SeriesTable,
  field: string,
  cadence: Cadence,
  cutoff: number,
  limit = Number.POSITIVE_INFINITY,
): SeriesTable {
  const column = columns[field];
  if (column === undefined) throw new Error(`The rows have no column ${field}, although their description names it.`);
  const kept: number[] = [];
  for (const [row, timestamp] of timestamps.entries()) {
    if (!Number.isNaN(column[row]) && isCompleted(cadence, timestamp, cutoff)) kept.push(row);
  }
  const latest = kept.slice(Math.max(0, kept.length - limit));
  return {
    timestamps: Float64Array.from(latest, (row) => timestamps[row] ?? Number.NaN),
    columns: { [field]: Float64Array.from(latest, (row) => column[row] ?? Number.NaN) },
  };
}

/** Returns the `about` of a snapshot of the rows. Its bytes enter the hash of the snapshot. */
function describeRows(
  reference: EconomicReference,
  description: SeriesDescription,
  { value, dimensions }: EconomicChoices,
) {
  const { type, provider, series_id } = reference;
  const { title, frequency, publisher, license, vintage } = description;
  const source = { type, provider, series_id, value_field: value.field, dimensions };
  return { source, title, units: value.units, frequency, publisher, license, vintage };
}

/**
 * Checks a reference against the description of its series. Throws a fault that names the invalid field and the
 * choices.
 */
function readChoices(description: SeriesDescription, reference: EconomicReference): EconomicChoices {
  return { value: chooseValue(description, reference), dimensions: chooseDimensions(description, reference) };
}

function chooseValue({ values }: SeriesDescription, { series_id, value_field }: EconomicReference) {
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

function chooseDimensions({ dimensions }: SeriesDescription, reference: EconomicReference): Record<string, string> {
  const requested = new Map(Object.entries(reference.dimensions ?? {}));
  const fields = dimensions.map(({ field }) => field);
  for (const field of requested.keys()) {
    if (!fields.includes(field)) throw dimensionUnknown(field, reference.series_id, formatChoices(fields));
  }
  const chosen = dimensions.flatMap(({ field, required, values }) => {
    const value = requested.get(field);
    const choices = values?.map((choice) => choice.value) ?? null;
    if (value === undefined) {
      if (required) throw dimensionRequired(field, formatChoices(choices ?? []));
      return [];
    }
    if (choices?.includes(value) === false) throw dimensionValueUnknown(field, formatChoices(choices));
    return [[field, value] as const];
  });
  return Object.fromEntries(chosen);
}

function formatChoices(choices: readonly string[]): string {
  const shown = choices.slice(0, MAX_CHOICES_SHOWN).map((choice) => JSON.stringify(choice));
  const more = choices.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
