import type { Generated } from 'kysely';
import type { WarehouseColumn } from '../engine.ts';

/** A read of a billed table that was sent. */
export interface WarehouseReadTable {
  id: Generated<number>;
  /** Null after the account was removed: its bytes still count for the day. */
  account_id: string | null;
  at: Date;
  /** The billed bytes, as they were estimated. */
  bytes: number;
}

/** The rows of a read of a billed table, which are in a snapshot. */
export interface WarehouseRowsTable {
  /** The hash of the table and the query. */
  key: string;
  snapshot_id: string;
  estimated_bytes: number;
  read_at: Date;
}

/** A public table that a caller has described. */
export interface DescribedTableTable {
  name: string;
  title: string;
  publisher: string;
  columns: readonly WarehouseColumn[];
  rows: number | null;
  /** A later one than that of all tables whose entries changed before. */
  version: number;
  described_at: Date;
}

export interface BilledTables {
  warehouse_read: WarehouseReadTable;
  warehouse_rows: WarehouseRowsTable;
  described_table: DescribedTableTable;
}
