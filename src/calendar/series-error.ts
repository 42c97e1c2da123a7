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
  /** The rows are on a grid, but most are not one period apart. Stating a frequency would help. */
  | 'IRREGULAR'
  /** The rows are on no grid, or on one that does not match their spacing. Stating a frequency would not help. */
  | 'NO_FREQUENCY'
  /** No two neighboring rows are one period of the stated frequency apart. */
  | 'OTHER_FREQUENCY';

/** Returns the number that a message shows for the row at an index. */
export type RowNumber = (index: number) => number;

const countFromOne: RowNumber = (index) => index + 1;

/**
 * The reason why rows are not a series. The message is written for the sender of the rows and counts them from 1;
 * `index` counts from 0.
 */
export class SeriesError extends Error {
  override readonly name = 'SeriesError';
  readonly code: SeriesErrorCode;
  /** The first invalid row; null if no single row is invalid. */
  readonly index: number | null;
  readonly #format: (rowNumber: RowNumber) => string;

  constructor(
    code: SeriesErrorCode,
    message: string | ((rowNumber: RowNumber) => string),
    index: number | null = null,
  ) {
    const format = typeof message === 'string' ? () => message : message;
    super(format(countFromOne));
    this.code = code;
    this.index = index;
    this.#format = format;
  }

  /** Returns the message with other row numbers, for rows that were sent in another order. */
  formatMessage(rowNumber: RowNumber): string {
    return this.#format(rowNumber);
  }
}
