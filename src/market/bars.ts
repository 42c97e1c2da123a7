import type { BarFrequency } from '../calendar/index.ts';
import type { Adjustment, PriceSide, Session } from '../contract/index.ts';
import type { ColumnHeadings, SeriesTable } from '../snapshots/index.ts';

export const BAR_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;
export type BarColumn = (typeof BAR_COLUMNS)[number];

/** The columns of bars in JSON and CSV. */
export const BAR_HEADINGS: ColumnHeadings = Object.fromEntries(BAR_COLUMNS.map((name) => [name, name]));

/** Bars by column, oldest first. */
export interface BarTable extends SeriesTable {
  readonly columns: Readonly<Record<BarColumn, Float64Array>>;
}

/** Selects bars of one instrument. */
export interface BarQuery {
  readonly symbol: string;
  readonly frequency: BarFrequency;
  readonly adjustment: Adjustment;
  readonly session: Session;
  /** Undefined for the default of the provider. */
  readonly priceSide?: PriceSide | undefined;
  /** Selects bars that begin at or after this instant; undefined for the whole history. */
  readonly start?: number | undefined;
  /** Selects bars that begin before this instant. */
  readonly end: number;
  /** Selects at most this number of bars, the latest ones. */
  readonly limit: number;
}

/** The number of rows of a provider that were dropped, by reason. */
export type DroppedRows = Readonly<Partial<Record<DropReason, number>>>;

export const DROP_REASONS = [
  'not_a_number',
  'bad_timestamp',
  'outside_the_request',
  'outside_the_session',
  'not_positive',
  'high_below_low',
  'outside_high_and_low',
  'negative_volume',
  'absurd',
  'duplicate',
  'not_completed',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];
