import type { ColumnType, Generated, Selectable } from 'kysely';
import type { CsvDelimiter, CsvEncoding } from '../../contract/index.ts';
import type { ColumnDescription } from './describing/column-profile.ts';
import type { SkippedLine } from './reading/skipped-lines.ts';

type SetWhenReady<T> = Generated<T | null>;

/** A file or an upload in progress. Until `ready_at` is set, operations do not return it, and it has no description. */
export interface CsvFileTable {
  id: string;
  workspace_id: string;
  name: string;
  uploaded_by: string | null;
  created_at: Date;
  ready_at: SetWhenReady<Date>;
  /** The size of the uploaded file. */
  bytes: SetWhenReady<number>;
  sha256: SetWhenReady<string>;
  rows: SetWhenReady<number>;
  encoding: SetWhenReady<CsvEncoding>;
  delimiter: SetWhenReady<CsvDelimiter>;
  has_header: SetWhenReady<boolean>;
  columns: ColumnType<readonly ColumnDescription[] | null, never, readonly ColumnDescription[]>;
  time_field: SetWhenReady<string>;
  value_field: SetWhenReady<string>;
  frequency: SetWhenReady<string>;
  /** The lines that are not part of the table. Null in files of earlier versions, which have none. */
  skipped: ColumnType<readonly SkippedLine[] | null, never, readonly SkippedLine[]>;
}

/** Consecutive rows of a file. */
export interface CsvChunkTable {
  file_id: string;
  /** The index of the first row, counted from 0. */
  first_row: number;
  rows: number;
  /** The number of bytes before compression. */
  size: number;
  /** Null if the compressed bytes are in parts. */
  packed: Uint8Array | null;
  /** The number of the compressed bytes if they are in parts. */
  packed_bytes: Generated<number | null>;
}

export interface CsvTables {
  csv_file: CsvFileTable;
  csv_chunk: CsvChunkTable;
}

type DescribedColumn = 'ready_at' | 'bytes' | 'sha256' | 'rows' | 'encoding' | 'delimiter' | 'has_header' | 'columns';

type SelectedFile = Selectable<CsvFileTable>;

/** A file that is ready. A constraint of the table ensures that the described columns are set. */
export type CsvFileRow = Omit<SelectedFile, DescribedColumn> & {
  [Field in DescribedColumn]: NonNullable<SelectedFile[Field]>;
};
