import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CsvDelimiter, CsvEncoding } from '../../contract/index.ts';
import type { ColumnDescription } from './describing/column-profile.ts';

type Unknown<T> = Generated<T | null>;

/** A file, or one that is being uploaded: until `ready_at` nothing shows it, and nothing is known of it. */
export interface CsvFileTable {
  id: string;
  workspace_id: string;
  name: string;
  uploaded_by: string | null;
  created_at: Date;
  ready_at: Unknown<Date>;
  /** As it was uploaded. */
  bytes: Unknown<number>;
  sha256: Unknown<string>;
  rows: Unknown<number>;
  encoding: Unknown<CsvEncoding>;
  delimiter: Unknown<CsvDelimiter>;
  has_header: Unknown<boolean>;
  columns: ColumnType<readonly ColumnDescription[] | null, never, readonly ColumnDescription[]>;
  time_field: Unknown<string>;
  value_field: Unknown<string>;
  frequency: Unknown<string>;
}

/** Rows that follow on each other. */
export interface CsvChunkTable {
  file_id: string;
  /** Counted from 0. */
  first_row: number;
  rows: number;
  /** Bytes before they were packed. */
  size: number;
  packed: Uint8Array;
}

export interface CsvTables {
  csv_file: CsvFileTable;
  csv_chunk: CsvChunkTable;
}

type Described = 'ready_at' | 'bytes' | 'sha256' | 'rows' | 'encoding' | 'delimiter' | 'has_header' | 'columns';

type Stored = Selectable<CsvFileTable>;

/** A file that is all there. A constraint of the table says that nothing is missing then. */
export type CsvFileRow = Omit<Stored, Described> & { [Field in Described]: NonNullable<Stored[Field]> };
