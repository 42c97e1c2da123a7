import { type Cadence, isCompleted } from '../calendar/index.ts';
import { type EconomicReference, Fault, type SeriesDescription } from '../contract/index.ts';
import type { SeriesSource, SeriesTable } from '../snapshots/index.ts';
import { chooseFrom, type EconomicChoices } from './economic-choices.ts';
import type { EconomicProvider } from './economic-provider.ts';

/** The series of every economic provider. */
export function createEconomicSource(
  providers: readonly EconomicProvider[],
  clock: { now(): Date },
): SeriesSource<EconomicReference> {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));

  function providerOf({ provider: id }: EconomicReference): EconomicProvider {
    const provider = byId.get(id);
    if (provider !== undefined) return provider;
    throw new Fault('NOT_FOUND', `There is no provider of economic series called ${JSON.stringify(id)}.`);
  }

  async function describe(reference: EconomicReference, signal?: AbortSignal): Promise<SeriesDescription> {
    const description = await providerOf(reference).describe(reference.series_id, signal);
    if (description === null) throw noSuchSeries(reference);
    return description;
  }

  return {
    type: 'economic_series',

    async list() {
      return (await Promise.all(providers.map((provider) => provider.list()))).flat();
    },

    canonical: (reference) => reference,

    describe,

    /** Published data are everybody's: whoever may call the operation may read them. */
    async authorize() {},

    async read(reference, { cutoff = clock.now().getTime(), limit, signal }) {
      signal?.throwIfAborted();
      const description = await describe(reference, signal);
      const choices = chooseFrom(description, reference);
      const rows = await providerOf(reference).read(reference.series_id, choices.dimensions, signal);
      if (rows === null) throw noSuchSeries(reference);
      signal?.throwIfAborted();
      const cadence: Cadence = { frequency: rows.frequency, kind: 'plain' };
      return {
        table: observed(rows.table, choices.value.field, cadence, cutoff, limit),
        cadence,
        valueField: choices.value.field,
        provider: reference.provider,
        about: about(reference, description, choices),
      };
    },
  };
}

function noSuchSeries({ provider, series_id }: EconomicReference): Fault {
  return new Fault('NOT_FOUND', `The provider ${provider} has no series ${JSON.stringify(series_id)}.`);
}

/** The rows that have the value and whose period had ended, as a table of that value alone. */
function observed(
  { timestamps, columns }: SeriesTable,
  field: string,
  cadence: Cadence,
  cutoff: number,
  limit = Number.POSITIVE_INFINITY,
): SeriesTable {
  const column = columns[field];
  if (column === undefined) throw new Error(`The rows have no column ${field}, which their description names.`);
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

function about(reference: EconomicReference, description: SeriesDescription, { value, dimensions }: EconomicChoices) {
  const { type, provider, series_id } = reference;
  const { title, frequency, publisher, license, vintage } = description;
  const source = { type, provider, series_id, value_field: value.field, dimensions };
  return { source, title, units: value.units, frequency, publisher, license, vintage };
}
