export interface SnapshotTable {
  id: string;
  sha256: string;
  /** Canonical JSON, as text: the digest covers its bytes. */
  header: string;
  rows: number;
  /** Bytes of the columns before they were packed. */
  size: number;
  packed: Uint8Array;
  created_at: Date;
  last_used_at: Date;
}

/** Something that needs a snapshot. A snapshot with a holder is never removed. */
export interface SnapshotHolderTable {
  snapshot_id: string;
  holder: string;
}

export interface SnapshotTables {
  snapshot: SnapshotTable;
  snapshot_holder: SnapshotHolderTable;
}
