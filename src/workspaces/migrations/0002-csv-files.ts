import { type Kysely, sql } from 'kysely';

/** The files of workspaces: the description of each file, and its rows in compressed chunks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE csv_file (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace ON DELETE CASCADE,
      name text NOT NULL,
      uploaded_by text REFERENCES account ON DELETE SET NULL,
      created_at timestamptz NOT NULL,
      ready_at timestamptz,
      bytes integer,
      sha256 text,
      rows integer,
      encoding text,
      delimiter text,
      has_header boolean,
      columns json,
      time_field text,
      value_field text,
      frequency text,
      CONSTRAINT csv_file_described CHECK (
        ready_at IS NULL OR num_nulls(bytes, sha256, rows, encoding, delimiter, has_header, columns) = 0
      )
    )`.execute(db);
  await sql`
    CREATE INDEX csv_file_by_workspace ON csv_file (workspace_id, created_at DESC, id DESC)`.execute(db);
  // This index is for removing uploads whose process ended before the upload was complete.
  await sql`CREATE INDEX csv_file_unfinished ON csv_file (created_at) WHERE ready_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE csv_chunk (
      file_id text NOT NULL REFERENCES csv_file ON DELETE CASCADE,
      first_row integer NOT NULL,
      rows integer NOT NULL,
      size integer NOT NULL,
      packed bytea NOT NULL,
      PRIMARY KEY (file_id, first_row)
    )`.execute(db);
  // The bytes are already compressed, so the database need not compress them.
  await sql`ALTER TABLE csv_chunk ALTER COLUMN packed SET STORAGE EXTERNAL`.execute(db);
}
