export interface Case {
  readonly name: string;
  readonly text: string;
  parameters(n: number): unknown[];
  /** The number of statements in one transaction. By default there is no transaction. */
  readonly perTransaction?: number;
}

const ACCOUNTS = 1_000;

/** Creates a thousand accounts with a key each, and a table to write to. */
export const FILL = `
  insert into account (id, email, email_verified, administrator, plan, created_at, updated_at)
    select 'usr_' || n, 'a' || n || '@example.org', true, false, 'free', now(), now() from generate_series(0, ${ACCOUNTS - 1}) n;
  insert into api_key (id, account_id, kind, name, hint, secret_hash, scopes, created_at)
    select 'key_' || n, 'usr_' || n, 'personal', 'bench', 'x', 'hash of ' || n, '{}', now()
    from generate_series(0, ${ACCOUNTS - 1}) n;
  create table bench_note (id int8 primary key, account_id text references account, title text, at timestamptz, body jsonb);
  analyze`;

const now = new Date();

export const CASES: readonly Case[] = [
  {
    name: 'SELECT of one row by its key',
    text: 'select "id", "email", "plan" from "account" where "id" = $1',
    parameters: (n) => [`usr_${n % ACCOUNTS}`],
  },
  {
    name: 'INSERT, ten in a transaction',
    text: 'insert into "bench_note" ("id", "account_id", "title", "at", "body") values ($1, $2, $3, $4, $5)',
    parameters: (n) => [n, `usr_${n % ACCOUNTS}`, `Note ${n}`, now, { n }],
    perTransaction: 10,
  },
  {
    // Every request with an API key begins with this statement.
    name: 'an API key and its account',
    text: `select "api_key"."id" as "key_id", "api_key"."scopes", "api_key"."expires_at", "api_key"."last_used_at",
      "api_key"."made_under", "account"."id" as "account_id", "account"."email", "account"."email_verified",
      "account"."plan", "account"."administrator"
    from "api_key" inner join "account" on "account"."id" = "api_key"."account_id"
    where "api_key"."secret_hash" = $1
      and ("api_key"."revoked_at" is null and ("api_key"."expires_at" is null or "api_key"."expires_at" > $2)
      and ("api_key"."made_under" is null
        or exists (select from oauth_record where model = 'Grant' and id = api_key.made_under and expires_at > $3)
        or exists (select from outside_identity where id = api_key.made_under)))`,
    parameters: (n) => [`hash of ${n % ACCOUNTS}`, now, now],
  },
];
