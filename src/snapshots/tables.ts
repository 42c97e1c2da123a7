export interface SnapshotTable {
  id: string;
  sha256: string;
  /** Canonical JSON, as text: the digest covers its bytes. */
  header: string;
  rows: number;
  /** The size of the columns in bytes before they were packed. */
  size: number;
  packed: Uint8Array;
  created_at: Date;
  last_used_at: Date;
}

/** A holder needs its snapshot. A snapshot with a holder is not removed. */
export interface SnapshotHolderTable {
  snapshot_id: string;
  holder: string;
}

export interface SnapshotTables {
  snapshot: SnapshotTable;
  snapshot_holder: SnapshotHolderTable;
}
