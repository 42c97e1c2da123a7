import { isCompleted } from '../../calendar/index.ts';
import {
  type Clock,
  type Database,
  openProviderClient,
  type ProviderClient,
  ProviderError,
  type ProviderFault,
} from '../../platform/index.ts';
import { type EconomicProvider, type EconomicRows, REPORTING_PERIODS } from '../economic-provider.ts';
import { combinationNotFound, frequencyNotOffered, providerFailed, UnusableReply } from '../faults.ts';
import type { EconomicStore } from '../store/economic-store.ts';
import { lastDateOver } from '../vintages.ts';
import { buildRows, VALUE_FIELD } from './build-rows.ts';
import { describeDetails, describeStructure, formatFrequency, formatSpan } from './describe-structure.ts';
import type { EconomicAdapter, EconomicFrequency, RawSeries, Selection, SeriesStructure } from './provider.ts';

export interface RemoteContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: EconomicStore;
}

/** The rows of one series as they are stored. */
interface StoredRows extends Pick<RawSeries, 'details' | 'flagLabels' | 'footnotes'> {
  /** Null if the frequency is not offered; there are no rows then. */
  readonly frequency: EconomicFrequency | null;
  readonly frequencyName: string;
  readonly timestamps: readonly number[];
  /** Null for a missing value. */
  readonly values: readonly (number | null)[];
  readonly flags: readonly (string | null)[];
}

/** Faults of replies that the same request would get again. */
const LASTING: readonly ProviderFault[] = ['MALFORMED', 'TOO_LARGE', 'REJECTED', 'PAGE_LOOP'];

/** Creates a provider from its protocol. Structures and rows are stored, so that they are not requested for each caller. */
export function createRemoteProvider(
  { database, clock, store }: RemoteContext,
  adapter: EconomicAdapter,
): EconomicProvider {
  const { id, requestsPerMinute } = adapter;

  function fetchStructure(seriesId: string): Promise<SeriesStructure | null> {
    return withFaults((http) => adapter.readStructure(seriesId, http));
  }

  async function fetchRows(selection: Selection): Promise<StoredRows | null> {
    return withFaults(async (http) => {
      const raw = await adapter.readSeries(selection, http);
      return raw === null ? null : toStoredRows(id, raw);
    });
  }

  /** Calls the provider and turns its errors into faults. No signal, because several callers can wait for the result. */
  async function withFaults<Result>(call: (http: ProviderClient) => Promise<Result | null>): Promise<Result | null> {
    try {
      return await call(openProviderClient({ database, clock }, { id, requestsPerMinute }));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.fault === 'NOT_FOUND') return null;
      throw LASTING.includes(error.fault) ? new UnusableReply(error.message) : providerFailed(error.message);
    }
  }

  const readStructure = (seriesId: string, signal: AbortSignal | undefined) =>
    store.read({ provider: id, seriesId, what: {} }, () => fetchStructure(seriesId), signal);

  const readRows = (selection: Selection, signal: AbortSignal | undefined, maxAgeMs?: number) => {
    const { seriesId, dimensions, vintage = null } = selection;
    // What is published later on the date of a vintage belongs to it, so rows from before its end must not be reused.
    const isOver = vintage !== null && vintage <= lastDateOver(clock.now().getTime(), adapter.vintageTimeZone ?? 'UTC');
    const what = { dimensions, vintage, isOver };
    return store.read({ provider: id, seriesId, what }, () => fetchRows(selection), signal, maxAgeMs);
  };

  return {
    id,
    vintageTimeZone: adapter.vintageTimeZone,
    async describe(seriesId, chosen, signal) {
      const structure = await readStructure(seriesId, signal);
      if (structure === null) return null;
      const description = describeStructure(adapter, structure, chosen);
      const isComplete = structure.dimensions.every(({ field }) => Object.hasOwn(chosen, field));
      const isExact = structure.dimensions.length === 0 && description.span !== null;
      if (!isComplete || isExact) return description;
      // The structure describes a data set. Only the rows show the span of the chosen series.
      const rows = await readRows({ seriesId, dimensions: chosen }, signal);
      if (rows === null) throw combinationNotFound(id, seriesId);
      return { ...description, ...describeStoredRows(structure, chosen, rows, clock.now().getTime()) };
    },
    async read(selection, signal, maxAgeMs) {
      const { seriesId, dimensions, vintage } = selection;
      const structure = await readStructure(seriesId, signal);
      const rows = structure === null ? null : await readRows(selection, signal, maxAgeMs);
      if (structure === null || rows === null) return null;
      if (rows.frequency === null) throw frequencyNotOffered(seriesId, rows.frequencyName);
      const described = describeStoredRows(structure, dimensions, rows, clock.now().getTime());
      const isVintage = vintage !== undefined;
      return toEconomicRows(rows, rows.frequency, {
        ...described,
        // The provider's last update concerns its current rows.
        ...(isVintage && {
          vintage: 'point_in_time',
          last_update: null,
          notes: `The rows as they stood on ${vintage}.`,
        }),
      });
    },
  };
}

function toStoredRows(provider: string, raw: RawSeries): StoredRows {
  const { details, flagLabels, footnotes } = raw;
  const frequencyName = formatFrequency(raw.frequency);
  if (!('frequency' in raw.frequency)) {
    return { frequency: null, frequencyName, timestamps: [], values: [], flags: [], details, flagLabels, footnotes };
  }
  const { frequency } = raw.frequency;
  const { table, flags, outside } = buildRows(provider, frequency, raw.observations);
  return {
    frequency,
    frequencyName,
    timestamps: [...table.timestamps],
    values: [...(table.columns[VALUE_FIELD] ?? [])].map((value) => (Number.isNaN(value) ? null : value)),
    flags: flags.map((flag) => flag ?? null),
    details,
    flagLabels,
    footnotes: outside === 0 ? footnotes : [...footnotes, formatOutside(outside)],
  };
}

function formatOutside(count: number): string {
  return count === 1
    ? 'One row outside the years 1800 to 2200 is left out.'
    : `${count} rows outside the years 1800 to 2200 are left out.`;
}

/** @param now the span and the number of rows include only periods that are over, and only those with a value */
function describeStoredRows(
  structure: SeriesStructure,
  chosen: Readonly<Record<string, string>>,
  { details, frequency, frequencyName, timestamps, values }: StoredRows,
  now: number,
) {
  const cadence = frequency === null ? null : ({ frequency, kind: 'plain' } as const);
  const rows = timestamps.filter(
    (timestamp, row) => values[row] !== null && cadence !== null && isCompleted(cadence, timestamp, now),
  );
  const [first, last] = [rows[0], rows.at(-1)];
  const hasRows = frequency !== null && first !== undefined && last !== undefined;
  return {
    ...describeDetails(structure, chosen, details),
    frequency: frequencyName,
    reporting_period: frequency === null ? ('other' as const) : REPORTING_PERIODS[frequency],
    span: hasRows ? formatSpan(frequency, first, last) : null,
    rows: rows.length,
  };
}

function toEconomicRows(
  rows: StoredRows,
  frequency: EconomicFrequency,
  description: NonNullable<EconomicRows['statement']>['description'],
): EconomicRows {
  return {
    table: {
      timestamps: Float64Array.from(rows.timestamps),
      columns: { [VALUE_FIELD]: Float64Array.from(rows.values, (value) => value ?? Number.NaN) },
    },
    frequency,
    statement: {
      description,
      flags: rows.flags.map((flag) => flag ?? undefined),
      flagLabels: rows.flagLabels,
      footnotes: rows.footnotes,
    },
  };
}
