import type { MarketReference, Operations, Output, PublicReference } from '../../../../contract/index.ts';
import type { Visitor } from '../visitor.ts';
import type { PageChoices } from './page-choices.ts';

export type History = Output<Operations['readStockHistory']>;
export type Observed = Output<Operations['readObservations']>;
export type Facts = NonNullable<Observed['facts']>;

/** The rows of a series as columns, with what the provider stated about them. */
export interface SeriesRows {
  /** Milliseconds since 1970. */
  readonly timestamps: readonly number[];
  /** Of bars `open`, `high`, `low`, `close` and `volume`; otherwise `value`. */
  readonly columns: Readonly<Record<string, readonly number[]>>;
  readonly provider: string;
  readonly frequency: string;
  readonly snapshotId: string;
  readonly truncated: boolean;
  /** Reads the bars before these; null if there are none, or if a cursor cannot read them. */
  readonly nextCursor: string | null;
  readonly fallbackUsed: boolean;
  readonly dropped: Readonly<Record<string, number>>;
  readonly facts: Facts | null;
  readonly estimatedBytes: number | null;
  readonly priceSide: string | null;
  /** The request that returned the rows. A script sends it again to read older ones. */
  readonly body: object;
}

const ALL_BARS = 50_000;

/**
 * Returns the body of the request for the rows of a page.
 *
 * @param isExact whether only the rows of the range are read, because it lies before all others that a request can read
 */
export function rowsRequest(source: PublicReference, choices: PageChoices, isExact = false): object {
  const { snapshot, limit, from, to } = choices;
  if (source.type !== 'market') {
    return { source, ...(snapshot !== null ? { snapshot_id: snapshot } : limit !== null && { limit }) };
  }
  const body = historySettings(source);
  // The rows of a snapshot are fixed, so nothing may limit them.
  if (snapshot !== null) return { ...body, limit: ALL_BARS, snapshot_id: snapshot };
  if (from === null && !isExact) return { ...body, ...(limit !== null && { limit }) };
  return {
    ...body,
    limit: ALL_BARS,
    ...(from !== null && { start: new Date(from).toISOString() }),
    ...(isExact && to !== null && { end: new Date(to).toISOString() }),
  };
}

function historySettings({ type: _, value_field, provider, ...settings }: MarketReference): object {
  return { ...settings, ...(provider !== undefined && { source: provider }) };
}

/** Reads the rows that a page shows. */
export async function readRows(visitor: Visitor, source: PublicReference, choices: PageChoices): Promise<SeriesRows> {
  if (source.type !== 'market') {
    const body = rowsRequest(source, choices);
    return fromObservations(await visitor.call('readObservations', { body }), body);
  }
  const body = rowsRequest(source, choices);
  const rows = fromHistory(await visitor.call('readStockHistory', { body }), body);
  const { to } = choices;
  const isBefore = to !== null && rows.truncated && (rows.timestamps[0] ?? 0) >= to;
  if (choices.snapshot !== null || !isBefore) return rows;
  // The range lies before the latest 50,000 bars.
  const exact = rowsRequest(source, choices, true);
  return fromHistory(await visitor.call('readStockHistory', { body: exact }), exact);
}

function fromHistory(history: History, body: object): SeriesRows {
  const { rows } = history;
  const column = (name: 'open' | 'high' | 'low' | 'close' | 'volume') => rows.map((row) => row[name]);
  return {
    timestamps: rows.map(({ timestamp }) => Date.parse(timestamp)),
    columns: {
      open: column('open'),
      high: column('high'),
      low: column('low'),
      close: column('close'),
      volume: column('volume'),
    },
    provider: history.provider,
    frequency: history.timeframe,
    snapshotId: history.snapshot_id,
    truncated: history.truncated,
    nextCursor: history.next_cursor,
    fallbackUsed: history.fallbackUsed,
    dropped: history.dropped,
    facts: null,
    estimatedBytes: null,
    priceSide: history.price_side,
    body,
  };
}

function fromObservations(observed: Observed, body: object): SeriesRows {
  return {
    timestamps: observed.rows.map(({ timestamp }) => Date.parse(timestamp)),
    columns: { value: observed.rows.map(({ value }) => value) },
    provider: observed.provider,
    frequency: observed.frequency,
    snapshotId: observed.snapshot_id,
    truncated: observed.truncated,
    nextCursor: null,
    fallbackUsed: false,
    dropped: {},
    facts: observed.facts ?? null,
    estimatedBytes: observed.estimated_bytes ?? null,
    priceSide: null,
    body,
  };
}
