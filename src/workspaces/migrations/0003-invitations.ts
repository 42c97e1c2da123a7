import { type Kysely, sql } from 'kysely';

/**
 * The invitations to workspaces, and the accounts that were added immediately. The latter are kept for a while, to send
 * the email about the addition and to count additions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The id is that of the collaborator and stays the same when an invitation is accepted. Only the email contains the
  // secret.
  await sql`
    CREATE TABLE workspace_invitation (
      id text PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('invitation', 'addition')),
      workspace_id text REFERENCES workspace ON DELETE SET NULL,
      email text NOT NULL CHECK (email = lower(email)),
      role text NOT NULL CHECK (role IN ('editor', 'viewer')),
      csv_scope_mode text NOT NULL CHECK (csv_scope_mode IN ('all', 'selected', 'none')),
      csv_scope_ids text[] NOT NULL,
      forecasts_scope_mode text NOT NULL CHECK (forecasts_scope_mode IN ('all', 'selected', 'none')),
      forecasts_scope_ids text[] NOT NULL,
      added_by text NOT NULL REFERENCES account ON DELETE CASCADE,
      secret_hash text CONSTRAINT workspace_invitation_secret UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      sent_at timestamptz,
      ended_at timestamptz,
      CHECK (kind = 'invitation' OR ended_at IS NOT NULL)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX workspace_invitation_once
      ON workspace_invitation (workspace_id, email) WHERE ended_at IS NULL`.execute(db);
  await sql`CREATE INDEX workspace_invitation_by_email ON workspace_invitation (email)`.execute(db);
  await sql`CREATE INDEX workspace_invitation_by_adder ON workspace_invitation (added_by)`.execute(db);
  await sql`CREATE INDEX workspace_invitation_by_workspace ON workspace_invitation (workspace_id)`.execute(db);
  await sql`CREATE INDEX workspace_invitation_by_age ON workspace_invitation (created_at)`.execute(db);
}
