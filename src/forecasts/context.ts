import type { Licenses } from '../access/index.ts';
import type { ModelCheckpoints } from '../compute/index.ts';
import { createSigningKeyReader, type Database, type Queue } from '../platform/index.ts';
import type { SnapshotContext, SourceRegistry } from '../snapshots/index.ts';

export const FORECAST_QUEUE = 'forecasts';

/** What the operations of this folder work with. */
export interface ForecastContext extends SnapshotContext, ForecastKeys {
  readonly sources: SourceRegistry;
  readonly queue: Queue;
  readonly checkpoints: ModelCheckpoints;
  /** The licenses under which models and data may be used. */
  readonly licenses: Licenses;
  /** Seals the cursors of lists. */
  readonly cursorKey: () => Promise<Buffer>;
}

/** Keys of keyed hashes, one for each purpose. */
export interface ForecastKeys {
  /** Hashes the networks of guests: forecasts are counted under the hash, not under the address. */
  readonly guestNetworkKey: () => Promise<Buffer>;
  /** Hashes the owner of private rows: the rows of two owners never share a snapshot. */
  readonly privateRowsKey: () => Promise<Buffer>;
}

/** Opens the keys of an installation. Each is created when it is first read. */
export function openForecastKeys(database: Database): ForecastKeys {
  return {
    guestNetworkKey: createSigningKeyReader(database, 'guest_networks'),
    privateRowsKey: createSigningKeyReader(database, 'private_rows'),
  };
}
