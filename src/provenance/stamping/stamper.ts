import type { Clock, Database, Log } from '../../platform/index.ts';
import type { WaitCode } from '../receipts/tables.ts';

/** The dependencies of every stamper. */
export interface StampContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of proofs that are taken in a UTC day. */
  readonly perDay: number;
}

export interface RoundOptions {
  /** Whether new proofs are taken. A round without it only continues what was begun. */
  readonly takesNew: boolean;
  readonly signal: AbortSignal;
}

/** What a round did. */
export interface StampRound {
  /** The number of proofs that were sent for the first time. */
  readonly sent: number;
  /** The number of proofs that became stamped. */
  readonly stamped: number;
  /** Why proofs wait; null if none has to. */
  readonly waitCode: WaitCode | null;
  /** Whether another round soon can make progress. */
  readonly isUnfinished: boolean;
}

/** A way to have proofs stamped: a chain, or vBase's service. */
export interface Stamper {
  /** The address that stamps; null if only the service knows it. */
  readonly userAddress: string | null;
  /**
   * Checks that the configured chain and contract, or the service, are what the settings name. Throws a `ConfigError` if
   * they are not.
   * @returns false if they cannot be reached
   */
  check(signal: AbortSignal): Promise<boolean>;
  /**
   * Continues what was begun and stamps what waits. If the process dies during a round, the next round continues from
   * what the database contains. A failure of the other side is noted with the proofs and not thrown.
   */
  runRound(options: RoundOptions): Promise<StampRound>;
}
