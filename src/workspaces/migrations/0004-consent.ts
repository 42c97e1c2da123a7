import { type Kysely, sql } from 'kysely';

/**
 * Invitations to become the owner of a workspace, and the limit on the credits of its members. Since this migration no
 * account becomes a member without accepting an invitation, so rows of the kind `addition` are no longer created.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE workspace ADD COLUMN member_credits integer CHECK (member_credits >= 0)`.execute(db);
  // An invitation to become the owner ends with the membership of the invited account.
  await sql`
    ALTER TABLE workspace_invitation
      ADD COLUMN member_id text REFERENCES workspace_member ON DELETE CASCADE,
      DROP CONSTRAINT workspace_invitation_kind_check,
      ADD CONSTRAINT workspace_invitation_kind_check CHECK (kind IN ('invitation', 'ownership', 'addition')),
      DROP CONSTRAINT workspace_invitation_role_check,
      ADD CONSTRAINT workspace_invitation_role_check CHECK (
        CASE kind WHEN 'ownership' THEN role = 'owner' ELSE role IN ('editor', 'viewer') END
      ),
      DROP CONSTRAINT workspace_invitation_check,
      ADD CONSTRAINT workspace_invitation_check CHECK (kind <> 'addition' OR ended_at IS NOT NULL),
      ADD CONSTRAINT workspace_invitation_member CHECK ((kind = 'ownership') = (member_id IS NOT NULL))`.execute(db);
  await sql`DROP INDEX workspace_invitation_once`.execute(db);
  await sql`
    CREATE UNIQUE INDEX workspace_invitation_once
      ON workspace_invitation (workspace_id, email) WHERE ended_at IS NULL AND kind = 'invitation'`.execute(db);
  await sql`
    CREATE UNIQUE INDEX workspace_one_transfer
      ON workspace_invitation (workspace_id) WHERE ended_at IS NULL AND kind = 'ownership'`.execute(db);
  await sql`
    CREATE INDEX workspace_invitation_by_member
      ON workspace_invitation (member_id) WHERE member_id IS NOT NULL`.execute(db);
}
