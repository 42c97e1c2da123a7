import type { Generated } from 'kysely';

export interface SnapshotTable {
  id: string;
  sha256: string;
  /** Canonical JSON, as text: the digest covers its bytes. */
  header: string;
  rows: number;
  /** The size of the columns in bytes before they were packed. */
  size: number;
  /** Null if the packed columns are in parts. */
  packed: Uint8Array | null;
  /** The size of the packed columns if they are in parts. */
  packed_bytes: Generated<number | null>;
  created_at: Date;
  last_used_at: Date;
}

/** A holder needs its snapshot. A snapshot with a holder is not removed. */
export interface SnapshotHolderTable {
  snapshot_id: string;
  holder: string;
}

/** The bytes that an account (outside workspaces), a workspace, a guest or the network of a guest stores. */
export interface StoredBytesTable {
  payer: string;
  bytes: number;
}

/** A snapshot that forecasts of a payer use. It counts once in the payer's bytes. */
export interface StoredSnapshotTable {
  payer: string;
  snapshot_id: string;
  bytes: number;
  uses: number;
}

export interface SnapshotTables {
  snapshot: SnapshotTable;
  snapshot_holder: SnapshotHolderTable;
  stored_bytes: StoredBytesTable;
  stored_snapshot: StoredSnapshotTable;
}
