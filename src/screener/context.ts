import type { MarketContext, SymbolListing } from '../market/index.ts';
import type { Clock, Database, Log, SigningKeys, Transaction } from '../platform/index.ts';
import type { SessionDate } from './evaluate/metrics-source.ts';

/** The dependencies of the operations on filters, matches and emails. */
export interface ScreenerContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<SigningKeys>;
}

/** The dependencies of operations that also show which symbols of a filter are unknown. */
export interface CheckedFilterContext extends ScreenerContext {
  /** Finds symbols that no provider lists. */
  readonly listing: SymbolListing;
}

export interface CompletedRun {
  readonly session: SessionDate;
  /** Whether a later session had closed when the run completed. */
  readonly isPast: boolean;
}

/** Called in the transaction that completes a run, so that its effects are rolled back with the run. */
export type OnRunCompleted = (tx: Transaction, run: CompletedRun) => Promise<void>;

/** The dependencies of the daily run. */
export interface ScreenerRunContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly market: MarketContext;
  /** Minutes from the close of a session until its bars count as final. */
  readonly lagMinutes: number;
  /** Minutes from the close of a session for which its run waits for the closes of recently traded symbols. */
  readonly waitMinutes: number;
  readonly onRunCompleted: OnRunCompleted;
}
