import type { MarketContext } from '../../market/index.ts';
import type { Clock, Database, Log, Transaction } from '../../platform/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';

export interface CompletedRun {
  readonly session: SessionDate;
  /** Whether a later session had closed by then. */
  readonly isOver: boolean;
}

/** What follows a completed run, in its own transaction: if that is rolled back, nothing followed. */
export type OnRunCompleted = (tx: Transaction, run: CompletedRun) => Promise<void>;

/** What the daily run works with. */
export interface ScreenerRunContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly market: MarketContext;
  /** How long after the close a session's bars are taken as final. */
  readonly lagMinutes: number;
  /** How long after the close a symbol that was traded the session before is waited for. */
  readonly waitMinutes: number;
  readonly onRunCompleted: OnRunCompleted;
}
