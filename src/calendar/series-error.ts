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
  /** On a grid, but most rows are not one period apart: a frequency can be named nevertheless. */
  | 'IRREGULAR'
  /** On no grid of ours, or on one that is not their rhythm: naming a frequency would not help. */
  | 'NO_FREQUENCY';

/** Why rows do not make a series. The message is fit for the person who sent them; rows are counted from 0. */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;
  /** The first row at fault; null when no single row is. */
  readonly index: number | null;

  constructor(code: SeriesErrorCode, message: string, index: number | null = null) {
    super(message);
    this.code = code;
    this.index = index;
  }
}
