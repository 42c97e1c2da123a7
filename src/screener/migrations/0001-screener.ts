import { type Kysely, sql } from 'kysely';

/** The fields at the time of this migration. Later migrations add their own columns. */
const FIELDS = [
  'close',
  'change_pct',
  'gap_pct',
  'volume',
  'rel_volume',
  'perf_5d',
  'perf_21d',
  'perf_63d',
  'perf_126d',
  'perf_252d',
  'pct_from_52w_high',
  'pct_from_52w_low',
  'sma_20',
  'sma_50',
  'sma_200',
  'rsi_14',
  'atr_14',
];

/** Saved filters, the metrics of each session, the matches, and the emails about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE screener_filter (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      name text NOT NULL,
      universe text[],
      combine text NOT NULL CHECK (combine IN ('all', 'any')),
      conditions jsonb NOT NULL,
      email boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`.execute(db);
  await sql`
    CREATE INDEX screener_filter_by_account ON screener_filter (account_id, created_at DESC, id DESC)`.execute(db);

  // Columns of fixed length come first, so that the database can compute the position of each number.
  const numbers = [...FIELDS, ...FIELDS.map((field) => `previous_${field}`)].map(
    (column) => sql`${sql.id(column)} double precision`,
  );
  await sql`
    CREATE TABLE daily_metrics (
      session date NOT NULL,
      ${sql.join(numbers)},
      symbol text NOT NULL,
      shared boolean NOT NULL DEFAULT true,
      recent_closes double precision[] NOT NULL,
      PRIMARY KEY (session, symbol)
    )`.execute(db);

  await sql`
    CREATE TABLE screener_run (
      session date PRIMARY KEY,
      state text NOT NULL CHECK (state IN ('waiting', 'running', 'completed', 'missed')),
      claim text,
      claimed_until timestamptz,
      checked_at timestamptz NOT NULL,
      completed_at timestamptz,
      symbols integer,
      missing text[] NOT NULL,
      providers text[] NOT NULL,
      CHECK ((state = 'running') = (claim IS NOT NULL) AND (claim IS NULL) = (claimed_until IS NULL)),
      CHECK ((state = 'completed') = (completed_at IS NOT NULL))
    )`.execute(db);

  await sql`
    CREATE TABLE screener_result (
      filter_id text NOT NULL REFERENCES screener_filter ON DELETE CASCADE,
      session date NOT NULL,
      symbols text[] NOT NULL,
      new_symbols text[] NOT NULL,
      shown text[] NOT NULL,
      PRIMARY KEY (filter_id, session)
    )`.execute(db);
  // Used to remove old results.
  await sql`CREATE INDEX screener_result_by_session ON screener_result (session)`.execute(db);
  // A view, so that values are looked up only for the rows that are read, and not at all if only symbols are read.
  await sql`
    CREATE VIEW screener_match AS
    SELECT r.filter_id, r.session, s.symbol, s.symbol = ANY(r.new_symbols) AS is_new, (
      SELECT json_object_agg(c.name, numbers -> c.name ORDER BY c.place)
      FROM daily_metrics AS m
      CROSS JOIN LATERAL to_jsonb(m) AS numbers
      CROSS JOIN unnest(r.shown) WITH ORDINALITY AS c(name, place)
      WHERE m.session = r.session AND m.symbol = s.symbol
    ) AS "values"
    FROM screener_result AS r CROSS JOIN LATERAL unnest(r.symbols) AS s(symbol)`.execute(db);

  await sql`
    CREATE TABLE screener_mail (
      id text PRIMARY KEY,
      account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
      session date NOT NULL,
      state text NOT NULL CHECK (
        state IN ('queued', 'sending', 'sent', 'failed', 'bounced', 'over_budget', 'unknown', 'skipped')
      ),
      reason text,
      attempts integer NOT NULL,
      message_id text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      sent_at timestamptz,
      CONSTRAINT screener_mail_once UNIQUE (account_id, session),
      CHECK ((state = 'sent') = (sent_at IS NOT NULL))
    )`.execute(db);
  await sql`
    CREATE INDEX screener_mail_unsent ON screener_mail (updated_at) WHERE state IN ('queued', 'sending')`.execute(db);
  await sql`CREATE INDEX screener_mail_by_age ON screener_mail (created_at)`.execute(db);
}
