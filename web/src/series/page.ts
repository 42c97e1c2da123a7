import type { periodFormat } from '../../../src/wording/format.ts';

export type Frequency = Parameters<typeof periodFormat>[0];

/** Rows as columns. Timestamps are in milliseconds since 1970 and ascend. */
export interface Rows {
  readonly timestamps: readonly number[];
  /** Of bars `open`, `high`, `low`, `close` and `volume`; otherwise `value`. */
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

/** What the server put into the page; see src/api/pages/console/series/page-data.ts. */
export interface SeriesData {
  readonly kind: 'bars' | 'line';
  readonly title: string;
  readonly label: string;
  readonly units: string;
  readonly frequency: Frequency | null;
  readonly isIntraday: boolean;
  readonly isLog: boolean;
  readonly from: number | null;
  readonly to: number | null;
  /** Null if they are too many for the page. */
  readonly rows: Rows | null;
  readonly request: { readonly path: string; readonly body: object };
  /** The column of the line. */
  readonly field: string;
  readonly older: { readonly body: object; readonly cursor: string } | null;
}

/** A part of the rows by position. Charts can be scrolled to places between and beside rows. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the page does with a chart, whichever library draws it. */
export interface LiveChart {
  /** Shows the cursor on a row, and moves the chart there if the row is outside. */
  showCursor(row: number | null): void;
  span(): Span;
  setSpan(span: Span): void;
  setLog(isLog: boolean): void;
  /** Replaces the rows. @param added number of rows that are new before the others, so that the view stays in place */
  setRows(rows: Rows, added: number): void;
  /** Reads the colors again, after the reader changed between light and dark. */
  recolor(): void;
}

export interface ChartEvents {
  readonly onSpan: () => void;
  /** The mouse is over a row; null: it left the chart. */
  readonly onHover: (row: number | null) => void;
}
