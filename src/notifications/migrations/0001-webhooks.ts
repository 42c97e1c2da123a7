import { type Kysely, sql } from 'kysely';

/** Webhooks of accounts and workspaces, and what was sent to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE webhook (
      id text PRIMARY KEY,
      account_id text REFERENCES account ON DELETE CASCADE,
      workspace_id text REFERENCES workspace ON DELETE CASCADE,
      url text NOT NULL,
      name text,
      types text[] NOT NULL,
      enabled boolean NOT NULL DEFAULT true,
      off_reason text CHECK (off_reason IN ('requested', 'failing', 'gone')),
      secret_version integer NOT NULL DEFAULT 1,
      rotated_at timestamptz,
      last_sequence bigint NOT NULL DEFAULT 0,
      failures integer NOT NULL DEFAULT 0,
      failing_since timestamptz,
      paused_until timestamptz,
      last_success_at timestamptz,
      mailed_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT webhook_owner CHECK ((account_id IS NULL) <> (workspace_id IS NULL)),
      CONSTRAINT webhook_off CHECK (enabled = (off_reason IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX webhook_by_account ON webhook (account_id) WHERE account_id IS NOT NULL`.execute(db);
  await sql`CREATE INDEX webhook_by_workspace ON webhook (workspace_id) WHERE workspace_id IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE webhook_delivery (
      id text PRIMARY KEY,
      webhook_id text NOT NULL REFERENCES webhook ON DELETE CASCADE,
      event_id text NOT NULL,
      type text NOT NULL,
      body text NOT NULL,
      replays text,
      state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'skipped')),
      attempt integer NOT NULL DEFAULT 0,
      attempt_started_at timestamptz,
      attempts jsonb NOT NULL DEFAULT '[]',
      next_attempt_at timestamptz,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      CONSTRAINT webhook_delivery_ended CHECK ((state = 'pending') = (ended_at IS NULL))
    )`.execute(db);
  await sql`CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, created_at DESC, id DESC)`.execute(
    db,
  );
  await sql`
    CREATE INDEX webhook_delivery_pending ON webhook_delivery (next_attempt_at) WHERE state = 'pending'`.execute(db);
  await sql`CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at)`.execute(db);
}
