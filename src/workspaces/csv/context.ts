import type { Clock, Database } from '../../platform/index.ts';

/** What the operations of this folder work with. */
export interface CsvContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorKey: () => Promise<Buffer>;
}
