/** The timestamps that the rows of a series may have, in order. */
export interface Grid {
  /** Completes the message for an invalid timestamp: "Row … is not `rule`." */
  readonly rule: string;
  /** The range in which the grid is known, both ends included. The methods accept only instants within it. */
  readonly earliest: number;
  readonly latest: number;
  contains(timestamp: number): boolean;
  /** Returns the next timestamp after one that the grid contains. */
  next(timestamp: number): number;
  /** Returns how many steps the second timestamp is after the first. The grid must contain both. */
  steps(from: number, to: number): number;
}
