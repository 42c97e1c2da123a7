export type SeriesErrorCode =
  | 'EMPTY'
  | 'LENGTH_MISMATCH'
  | 'NON_FINITE'
  | 'OUT_OF_RANGE'
  | 'DUPLICATE'
  | 'UNSORTED'
  | 'MISALIGNED'
  | 'TOO_MANY_GAPS'
  | 'AMBIGUOUS_FREQUENCY'
  /** On a grid, but most rows are not one period apart: the caller can still state a frequency. */
  | 'IRREGULAR'
  /** On no grid, or on one that does not match their spacing: stating a frequency would not help. */
  | 'NO_FREQUENCY';

/** The reason that rows are not a series. The message is written for the sender of the rows; rows count from 0. */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;
  /** The first invalid row; null when no single row is invalid. */
  readonly index: number | null;

  constructor(code: SeriesErrorCode, message: string, index: number | null = null) {
    super(message);
    this.code = code;
    this.index = index;
  }
}
