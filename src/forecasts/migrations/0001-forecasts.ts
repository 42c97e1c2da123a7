import { type Kysely, sql } from 'kysely';

/**
 * Forecasts with their ledger and their events. Documents are json, not jsonb, because jsonb would reorder their
 * fields, and quantiles must keep their order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE forecast (
      id text PRIMARY KEY,
      slug text NOT NULL CONSTRAINT forecast_slug_unique UNIQUE,
      owner text NOT NULL,
      account_id text REFERENCES account ON DELETE CASCADE,
      guest_id text,
      workspace_id text REFERENCES workspace ON DELETE CASCADE,
      visibility text NOT NULL CHECK (visibility IN ('private', 'workspace', 'public')),
      title text,
      status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
      request json NOT NULL,
      settings json NOT NULL,
      snapshot_id text NOT NULL REFERENCES snapshot,
      checkpoints json NOT NULL,
      reproduces text REFERENCES forecast ON DELETE SET NULL,
      credits integer NOT NULL,
      job_id text NOT NULL,
      attempt integer NOT NULL DEFAULT 0,
      progress json,
      result json,
      result_sha256 text,
      content_cid text,
      fingerprint json,
      comparison json,
      error json,
      last_event integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz,
      CHECK ((account_id IS NULL) <> (guest_id IS NULL)),
      CHECK ((status = 'completed') = (result IS NOT NULL)),
      CHECK ((status = 'failed') = (error IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX forecast_by_owner ON forecast (owner, created_at DESC, id DESC)`.execute(db);
  await sql`CREATE INDEX forecast_by_workspace ON forecast (workspace_id, created_at DESC, id DESC) WHERE workspace_id IS NOT NULL`.execute(
    db,
  );
  await sql`
    CREATE TABLE forecast_event (
      forecast_id text NOT NULL REFERENCES forecast ON DELETE CASCADE,
      number integer NOT NULL,
      kind text NOT NULL CHECK (kind IN ('queued', 'progress', 'completed', 'failed')),
      data json NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (forecast_id, number)
    )`.execute(db);
  await sql`
    CREATE TABLE idempotency_key (
      owner text NOT NULL,
      key text NOT NULL,
      request_sha256 text NOT NULL,
      forecast_id text NOT NULL REFERENCES forecast ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (owner, key)
    )`.execute(db);
  await sql`CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at)`.execute(db);
  await sql`CREATE TABLE admission (owner text PRIMARY KEY, active integer NOT NULL CHECK (active >= 0))`.execute(db);
  await sql`
    CREATE TABLE ledger_entry (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      transfer text NOT NULL,
      owner text NOT NULL,
      month text NOT NULL,
      ledger_account text NOT NULL CHECK (ledger_account IN ('available', 'reserved', 'spent')),
      amount integer NOT NULL,
      forecast_id text NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  // The names of the transfers ensure that a forecast is reserved once and then captured or released once.
  await sql`CREATE UNIQUE INDEX ledger_transfer_once ON ledger_entry (transfer, ledger_account)`.execute(db);
  await sql`CREATE INDEX ledger_by_owner ON ledger_entry (owner, month)`.execute(db);
  await sql`
    CREATE TABLE save_proof (
      secret_hash text PRIMARY KEY,
      forecast_id text NOT NULL REFERENCES forecast ON DELETE CASCADE,
      guest_id text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      consumed_at timestamptz,
      consumed_by text
    )`.execute(db);
  await sql`CREATE INDEX save_proof_by_expiry ON save_proof (expires_at)`.execute(db);
}
