import { type Kysely, sql } from 'kysely';

/** Creates the listings of the economic providers, and the series that are in them or that providers' searches found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE economic_listing (
      provider text PRIMARY KEY,
      version bigint NOT NULL DEFAULT 0,
      found_version bigint NOT NULL DEFAULT 0,
      entries integer NOT NULL DEFAULT 0,
      refreshed_at timestamptz,
      tried_at timestamptz,
      last_error text,
      members jsonb
    )`.execute(db);
  await sql`
    CREATE TABLE economic_series (
      provider text NOT NULL REFERENCES economic_listing,
      series_id text COLLATE "C" NOT NULL,
      title text NOT NULL,
      keywords text[] NOT NULL,
      frequency text,
      units text NOT NULL,
      first_at bigint,
      last_at bigint,
      last_update timestamptz,
      has_members boolean NOT NULL,
      is_found boolean NOT NULL,
      found_at timestamptz,
      PRIMARY KEY (provider, series_id),
      CONSTRAINT economic_series_span CHECK ((first_at IS NULL) = (last_at IS NULL)),
      CONSTRAINT economic_series_found CHECK (is_found = (found_at IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX economic_series_by_search ON economic_series (provider, series_id) WHERE is_found`.execute(db);
}
