/** The timestamps that the rows of a series may carry, in order. */
export interface Grid {
  /** Completes the message that refuses a timestamp: "Row … is not `rule`." */
  readonly rule: string;
  /** The range in which the grid is known, both ends included. The methods accept only instants within it. */
  readonly earliest: number;
  readonly latest: number;
  contains(timestamp: number): boolean;
  /** Returns the timestamp after one that the grid contains. */
  next(timestamp: number): number;
  /** Returns by how many steps the second timestamp is after the first; the grid must contain both. */
  steps(from: number, to: number): number;
}
