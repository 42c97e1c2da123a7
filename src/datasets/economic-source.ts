import { type Cadence, isCompleted } from '../calendar/index.ts';
import type { EconomicReference, SeriesDescription } from '../contract/index.ts';
import { ECONOMIC_PROVIDER_IDS } from '../platform/index.ts';
import type { ListedSeries, SeriesSource, SeriesTable } from '../snapshots/index.ts';
import { chooseDimensions, chooseValue } from './choices.ts';
import type { EconomicProvider, EconomicRows } from './economic-provider.ts';
import { combinationNotFound, providerNotConfigured, providerNotFound, seriesNotFound } from './faults.ts';
import { collectFacts } from './row-facts.ts';
import { lastDateOver, localDate, requireVintage, requireVintageOfCutoff } from './vintages.ts';

/** The series in the listings of providers, which are in the database. */
export interface ListedEconomicSeries {
  list(): Promise<readonly ListedSeries[]>;
  version(): Promise<string>;
}

export interface EconomicSourceOptions {
  readonly providers: readonly EconomicProvider[];
  readonly clock: { now(): Date };
  readonly listing?: ListedEconomicSeries;
}

/** Beyond this number, the values of a dimension are left out of its description. */
const MAX_VALUES_SHOWN = 1_000;

/** Creates the source that offers the series of all economic providers. */
export function createEconomicSource({
  providers,
  clock,
  listing,
}: EconomicSourceOptions): SeriesSource<EconomicReference> {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));

  function findProvider({ provider: id }: EconomicReference): EconomicProvider {
    const provider = byId.get(id);
    if (provider !== undefined) return provider;
    throw (ECONOMIC_PROVIDER_IDS as readonly string[]).includes(id) ? providerNotConfigured(id) : providerNotFound(id);
  }

  async function describeWith(
    reference: EconomicReference,
    chosen: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<SeriesDescription> {
    const description = await findProvider(reference).describe(reference.series_id, chosen, signal);
    if (description === null) throw seriesNotFound(reference.provider, reference.series_id);
    return description;
  }

  /** Returns the description of the whole series, after checking that it can be read as of the requested date. */
  async function describeReadable(
    reference: EconomicReference,
    signal: AbortSignal | undefined,
  ): Promise<SeriesDescription> {
    const description = await describeWith(reference, {}, signal);
    if (reference.vintage !== undefined) {
      const { vintageTimeZone = 'UTC' } = findProvider(reference);
      requireVintage(description, reference, reference.vintage, localDate(clock.now().getTime(), vintageTimeZone));
    }
    return description;
  }

  return {
    type: 'economic_series',
    async list() {
      const lists = [...providers.map((provider) => provider.list?.()), listing?.list()];
      return (await Promise.all(lists)).flatMap((list) => list ?? []);
    },
    ...(listing && { listVersion: () => listing.version() }),
    // A reference without a vintage must not match the rows of one.
    canonical: (reference) => ({ ...reference, vintage: reference.vintage }),
    async describe(reference, signal) {
      const whole = await describeReadable(reference, signal);
      const chosen = chooseDimensions(whole, reference, { isPartial: true });
      const isExact = whole.span !== null && Object.keys(chosen).length === 0;
      const described = isExact ? whole : await describeWith(reference, chosen, signal);
      const { series_id: seriesId, vintage } = reference;
      if (vintage === undefined) return withoutLongLists(described);
      // Units and rows may have been others on the date of the vintage.
      const rows = await findProvider(reference).read({ seriesId, dimensions: chosen, vintage }, signal);
      if (rows === null) throw seriesNotFound(reference.provider, seriesId);
      return withoutLongLists({ ...described, ...rows.statement?.description });
    },
    /** Published data are public, so every caller of the operation may read them. */
    async authorize() {},
    async vintageAt(reference, instant, signal) {
      const { vintageTimeZone = 'UTC' } = findProvider(reference);
      const vintage = lastDateOver(instant, vintageTimeZone);
      requireVintageOfCutoff(await describeWith(reference, {}, signal), reference, vintage);
      return vintage;
    },
    async read(reference, { cutoff = clock.now().getTime(), limit, maxAgeMs, signal }) {
      signal?.throwIfAborted();
      const description = await describeReadable(reference, signal);
      const value = chooseValue(description, reference);
      const dimensions = chooseDimensions(description, reference);
      const { series_id: seriesId, vintage } = reference;
      const rows = await findProvider(reference).read({ seriesId, dimensions, vintage }, signal, maxAgeMs);
      if (rows === null) {
        const hasChoice = Object.keys(dimensions).length > 0;
        throw (hasChoice ? combinationNotFound : seriesNotFound)(reference.provider, seriesId);
      }
      signal?.throwIfAborted();
      const cadence: Cadence = { frequency: rows.frequency, kind: 'plain' };
      const kept = selectCompleted(rows.table, value.field, cadence, cutoff, limit);
      const source = describeSource(reference, value.field, dimensions);
      return {
        table: kept.table,
        cadence,
        valueField: value.field,
        provider: reference.provider,
        about: { source, ...describeRows(description, rows, value.field, kept.positions) },
      };
    },
  };
}

function withoutLongLists(description: SeriesDescription): SeriesDescription {
  const dimensions = description.dimensions.map(({ values, ...dimension }) =>
    values === undefined || values.length > MAX_VALUES_SHOWN ? dimension : { ...dimension, values },
  );
  return { ...description, dimensions };
}

interface SelectedRows {
  readonly table: SeriesTable;
  /** The positions of the rows in the whole table, with their timestamps. */
  readonly positions: readonly { readonly row: number; readonly timestamp: number }[];
}

/** Returns the rows that have the value and whose period had ended at the cutoff, as a table with only that value. */
function selectCompleted(
  { timestamps, columns }: SeriesTable,
  field: string,
  cadence: Cadence,
  cutoff: number,
  limit = Number.POSITIVE_INFINITY,
): SelectedRows {
  const column = columns[field];
  if (column === undefined) throw new Error(`The rows have no column ${field}, although their description names it.`);
  const kept: { row: number; timestamp: number }[] = [];
  for (const [row, timestamp] of timestamps.entries()) {
    if (!Number.isNaN(column[row]) && isCompleted(cadence, timestamp, cutoff)) kept.push({ row, timestamp });
  }
  const latest = kept.slice(Math.max(0, kept.length - limit));
  return {
    table: {
      timestamps: Float64Array.from(latest, ({ timestamp }) => timestamp),
      columns: { [field]: Float64Array.from(latest, ({ row }) => column[row] ?? Number.NaN) },
    },
    positions: latest,
  };
}

function describeSource(
  { type, provider, series_id, vintage }: EconomicReference,
  valueField: string,
  dimensions: Readonly<Record<string, string>>,
): EconomicReference {
  return { type, provider, series_id, value_field: valueField, dimensions, ...(vintage && { vintage }) };
}

/** Returns the `about` of a snapshot of the rows, without the source. Its bytes enter the hash of the snapshot. */
function describeRows(
  whole: SeriesDescription,
  { statement }: EconomicRows,
  valueField: string,
  positions: SelectedRows['positions'],
) {
  const description: SeriesDescription = { ...whole, ...statement?.description };
  const { title, frequency, publisher, license, vintage, values } = description;
  const units = values.find(({ field }) => field === valueField)?.units;
  const about = { title, units, frequency, publisher, license, vintage };
  return statement === undefined ? about : { ...about, facts: collectFacts(description, statement, positions) };
}
