import { type Kysely, sql } from 'kysely';

/** Event forecasts with their revisions, their history and their resolutions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE event_forecast (
      id text PRIMARY KEY,
      slug text NOT NULL CONSTRAINT event_forecast_slug_unique UNIQUE,
      asked_slug text,
      author_account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      workspace_id text REFERENCES workspace ON DELETE CASCADE,
      visibility text NOT NULL CHECK (visibility IN ('private', 'workspace', 'public')),
      category text NOT NULL,
      entity_type text NOT NULL,
      entity_name text NOT NULL,
      entity_ticker text NOT NULL,
      question text NOT NULL,
      resolution_deadline timestamptz NOT NULL,
      resolution_rule json,
      observed_until timestamptz,
      read_until timestamptz,
      final_at timestamptz,
      model text,
      source_forecast_id text,
      origin json,
      created_at timestamptz NOT NULL,
      revision integer NOT NULL CHECK (revision >= 1),
      probability double precision NOT NULL CHECK (probability >= 0 AND probability <= 1),
      possible_future_headline text NOT NULL,
      input_cutoff_at timestamptz NOT NULL,
      revised_at timestamptz NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'resolved_yes', 'resolved_no', 'annulled')),
      resolved_at timestamptz,
      resolved_by text,
      actual_outcome text,
      resolution_source text,
      outcome_known_at timestamptz,
      evidence json,
      scored_revision integer,
      scored_probability double precision,
      log_score double precision,
      brier_score double precision,
      check_state text CHECK (check_state IN ('waiting', 'missing', 'provider_failed', 'denied')),
      check_message text,
      checked_at timestamptz,
      next_check_at timestamptz,
      CHECK ((workspace_id IS NULL) <= (visibility <> 'workspace')),
      CONSTRAINT event_forecast_asked_slug_unique UNIQUE (author_account_id, asked_slug),
      CHECK (num_nulls(resolution_rule, read_until, final_at) IN (0, 3)),
      CHECK (resolution_rule IS NULL OR observed_until IS NOT NULL),
      CHECK ((status = 'pending') = (resolved_at IS NULL)),
      CHECK (num_nulls(resolved_at, resolved_by, actual_outcome, resolution_source) IN (0, 4)),
      CHECK (num_nulls(scored_revision, scored_probability, log_score, brier_score) IN (0, 4)),
      CHECK (log_score IS NULL OR status IN ('resolved_yes', 'resolved_no')),
      CHECK (next_check_at IS NULL OR (status = 'pending' AND resolution_rule IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX event_by_author ON event_forecast (author_account_id, created_at DESC, id DESC)`.execute(db);
  await sql`CREATE INDEX event_by_workspace ON event_forecast (workspace_id, created_at DESC, id DESC) WHERE workspace_id IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX event_public ON event_forecast (created_at DESC, id DESC) WHERE visibility = 'public'`.execute(
    db,
  );
  await sql`CREATE INDEX event_by_source ON event_forecast (source_forecast_id) WHERE source_forecast_id IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX event_due ON event_forecast (next_check_at) WHERE next_check_at IS NOT NULL`.execute(db);
  await sql`CREATE INDEX event_scored ON event_forecast (resolved_at DESC) WHERE log_score IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE event_revision (
      id text PRIMARY KEY,
      event_id text NOT NULL REFERENCES event_forecast ON DELETE CASCADE,
      number integer NOT NULL,
      probability double precision NOT NULL CHECK (probability >= 0 AND probability <= 1),
      possible_future_headline text NOT NULL,
      input_cutoff_at timestamptz NOT NULL,
      note text,
      author_account_id text NOT NULL,
      made_by text NOT NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (event_id, number)
    )`.execute(db);
  await sql`
    CREATE TABLE event_audit (
      id text PRIMARY KEY,
      event_id text NOT NULL REFERENCES event_forecast ON DELETE CASCADE,
      action text NOT NULL,
      actor_account_id text,
      actor text NOT NULL,
      details json NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX event_audit_by_event ON event_audit (event_id, created_at DESC, id DESC)`.execute(db);
}
