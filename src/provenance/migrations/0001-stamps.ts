import { type Kysely, sql } from 'kysely';

/** The proofs to be stamped, and the transactions that stamp them on a chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE stamp_transaction (
      id text PRIMARY KEY,
      chain_id bigint NOT NULL,
      contract text NOT NULL,
      sender text NOT NULL,
      nonce bigint NOT NULL,
      kind text NOT NULL CHECK (kind IN ('set', 'objects')),
      set_cid text NOT NULL,
      data text NOT NULL,
      gas bigint NOT NULL,
      state text NOT NULL CHECK (state IN ('open', 'mined', 'stamped', 'final', 'failed', 'replaced')),
      from_block bigint NOT NULL,
      block_number bigint,
      block_hash text,
      block_time timestamptz,
      transaction_hash text,
      created_at timestamptz NOT NULL,
      CHECK (num_nulls(block_number, block_hash, block_time, transaction_hash) IN (0, 4)),
      CHECK ((state IN ('open', 'replaced')) = (block_number IS NULL))
    )`.execute(db);
  // A nonce is used by one transaction. If a transaction of another program has taken it, the row no longer counts.
  await sql`
    CREATE UNIQUE INDEX stamp_transaction_nonce ON stamp_transaction (chain_id, sender, nonce)
    WHERE state <> 'replaced'`.execute(db);
  await sql`
    CREATE INDEX stamp_transaction_watched ON stamp_transaction (nonce)
    WHERE state IN ('open', 'mined', 'stamped', 'failed')`.execute(db);
  await sql`
    CREATE TABLE stamp_attempt (
      hash text PRIMARY KEY,
      transaction_id text NOT NULL REFERENCES stamp_transaction ON DELETE CASCADE,
      raw text,
      max_fee text NOT NULL,
      priority_fee text NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX stamp_attempt_by_transaction ON stamp_attempt (transaction_id)`.execute(db);
  await sql`
    CREATE TABLE proof (
      content_cid text PRIMARY KEY CHECK (content_cid ~ '^0x[0-9a-f]{64}$'),
      kind text NOT NULL CHECK (kind IN ('forecast', 'event_revision')),
      subject text NOT NULL,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'stamping', 'stamped')),
      error_code text,
      created_at timestamptz NOT NULL,
      claimed_at timestamptz,
      sent_at timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      retry_at timestamptz,
      transaction_id text REFERENCES stamp_transaction,
      place integer,
      transaction_hash text,
      set_cid text,
      user_address text,
      user_label text,
      chain_id bigint,
      stamped_at timestamptz,
      CHECK (num_nulls(transaction_hash, set_cid, chain_id, stamped_at) IN (0, 4)),
      CHECK ((status = 'stamped') = (stamped_at IS NOT NULL)),
      CHECK ((transaction_id IS NULL) = (place IS NULL))
    )`.execute(db);
  await sql`
    CREATE INDEX proof_waiting ON proof (created_at, content_cid)
    WHERE status <> 'stamped' AND transaction_id IS NULL`.execute(db);
  await sql`CREATE INDEX proof_by_transaction ON proof (transaction_id) WHERE transaction_id IS NOT NULL`.execute(db);
  await sql`CREATE INDEX proof_claimed ON proof (claimed_at) WHERE claimed_at IS NOT NULL`.execute(db);
  await sql`CREATE INDEX proof_unfinished ON proof (status, error_code) WHERE status <> 'stamped'`.execute(db);
}
