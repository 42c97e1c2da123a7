import type { Licenses } from '../access/index.ts';
import type { ModelCheckpoints } from '../compute/index.ts';
import { createSigningKeysReader, type Database, type Queue, type SigningKeys } from '../platform/index.ts';
import type { StampPolicy } from '../provenance/index.ts';
import type { SnapshotContext, SourceRegistry, StorageLimits } from '../snapshots/index.ts';
import type { LoadGuard } from './create/shed-load.ts';

/** The dependencies of this room's operations. */
export interface ForecastContext extends SnapshotContext, ForecastKeys {
  readonly sources: SourceRegistry;
  readonly queue: Queue;
  readonly checkpoints: ModelCheckpoints;
  /** The licenses under which models and data may be used. */
  readonly licenses: Licenses;
  /** The CPU seconds per hour that the canceled and failed forecasts of one payer can use before it comes last. */
  readonly unpaidCpuSeconds: number;
  /** Refuses new forecasts while the service is late. */
  readonly load: LoadGuard;
  /** How much payers can store. */
  readonly storage: StorageLimits;
  /** Decides which proofs are stamped. */
  readonly stamps: StampPolicy;
  /** Seals the cursors of lists. */
  readonly cursorKey: () => Promise<SigningKeys>;
}

/** The keys for keyed hashes, one for each purpose. */
export interface ForecastKeys {
  /** The key for hashing the networks of guests. Forecasts are counted by this hash and not by the address. */
  readonly guestNetworkKey: () => Promise<SigningKeys>;
}

/** Opens the keys of an installation. Each key is created when it is first read. */
export function openForecastKeys(database: Database): ForecastKeys {
  return { guestNetworkKey: createSigningKeysReader(database, 'guest_networks') };
}
