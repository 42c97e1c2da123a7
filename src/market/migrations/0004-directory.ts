import { type Kysely, sql } from 'kysely';

/** Creates the symbol directory: the listing of each provider, and the instruments in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE market_listing (
      provider text PRIMARY KEY,
      version bigint NOT NULL DEFAULT 0,
      entries integer NOT NULL DEFAULT 0,
      active integer NOT NULL DEFAULT 0,
      refreshed_at timestamptz,
      tried_at timestamptz,
      last_error text
    )`.execute(db);
  // The symbol comes first, because the search reads the instruments of all providers in the order of their symbols.
  await sql`
    CREATE TABLE market_instrument (
      symbol text COLLATE "C" NOT NULL,
      provider text NOT NULL REFERENCES market_listing,
      name text NOT NULL,
      aliases text[] NOT NULL,
      exchange text,
      class text NOT NULL CHECK (class IN ('stock', 'pair', 'metal', 'coin')),
      units text NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'delisted')),
      PRIMARY KEY (symbol, provider)
    )`.execute(db);
}
