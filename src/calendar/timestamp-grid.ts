/** The timestamps that the rows of a series may carry, in order. */
export interface Grid {
  /** In words, for the error that refuses a timestamp: "a row … is not `rule`". */
  readonly rule: string;
  /** The instants between which the grid is known, both included. Only these may be asked about. */
  readonly earliest: number;
  readonly latest: number;
  contains(timestamp: number): boolean;
  /** The timestamp after one that the grid contains. */
  next(timestamp: number): number;
  /** How many steps the second timestamp is after the first; the grid contains both. */
  steps(from: number, to: number): number;
}
