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
  /** The rows are on a grid, but most are not one period apart. It helps if the caller states a frequency. */
  | 'IRREGULAR'
  /** The rows are on no grid, or on one that does not match their spacing. Stating a frequency would not help. */
  | 'NO_FREQUENCY';

/** The reason why rows are not a series. The message is written for the sender of the rows. Rows count from 0. */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;
  /** The first invalid row; null if no single row is invalid. */
  readonly index: number | null;

  constructor(code: SeriesErrorCode, message: string, index: number | null = null) {
    super(message);
    this.code = code;
    this.index = index;
  }
}
