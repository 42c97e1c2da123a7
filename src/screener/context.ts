import type { Clock, Database } from '../platform/index.ts';

/** What the operations on filters, matches and mails work with. */
export interface ScreenerContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
