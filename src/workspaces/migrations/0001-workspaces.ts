import { type Kysely, sql } from 'kysely';

/** Workspaces and their members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE workspace (
      id text PRIMARY KEY,
      name text NOT NULL,
      slug text NOT NULL CONSTRAINT workspace_slug_unique UNIQUE,
      owner_account_id text NOT NULL REFERENCES account,
      legacy_personal boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX workspace_one_personal ON workspace (owner_account_id) WHERE legacy_personal`.execute(db);
  await sql`
    CREATE TABLE workspace_member (
      id text PRIMARY KEY,
      workspace_id text NOT NULL REFERENCES workspace ON DELETE CASCADE,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
      csv_scope_mode text NOT NULL CHECK (csv_scope_mode IN ('all', 'selected', 'none')),
      csv_scope_ids text[] NOT NULL,
      forecasts_scope_mode text NOT NULL CHECK (forecasts_scope_mode IN ('all', 'selected', 'none')),
      forecasts_scope_ids text[] NOT NULL,
      created_at timestamptz NOT NULL,
      CONSTRAINT workspace_member_once UNIQUE (workspace_id, account_id)
    )`.execute(db);
  await sql`CREATE INDEX workspace_member_by_account ON workspace_member (account_id)`.execute(db);
  await sql`
    CREATE UNIQUE INDEX workspace_one_owner ON workspace_member (workspace_id) WHERE role = 'owner'`.execute(db);
}
