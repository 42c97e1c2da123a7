import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { DAY_MS } from '../../calendar/index.ts';
import { type Clock, type Executor, json } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import type { OAuthKeyTable, OAuthTables } from './tables.ts';

export type SigningKey = Pick<OAuthKeyTable, 'kid' | 'private_jwk'>;

/** How long a replaced key is still published and accepted, which is far longer than the lifetime of any token. */
const RETIRED_MS = DAY_MS;

/** Returns the signing keys of the installation. The first one signs. Creates a key if there is none. */
export async function readSigningKeys({ database, clock }: IdentityContext): Promise<SigningKey[]> {
  const keys = await selectKeys(database);
  if (keys.length > 0) return keys;
  const key = await createKey();
  await database
    .query<OAuthTables>()
    .insertInto('oauth_key')
    .values({ number: 1, ...key, created_at: clock.now() })
    // If several processes find no key, one of them inserts its own and the others read that one.
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute();
  return selectKeys(database);
}

export interface SigningKeyRotation {
  /** Whether the earlier keys are removed, so that the tokens that they signed end as soon as processes read the keys. */
  readonly isWithdrawn?: boolean;
}

/**
 * Creates a key, which signs from now on. Tokens signed with the previous key stay valid, unless it is withdrawn.
 *
 * @returns the id of the key
 */
export async function rotateSigningKey(
  { database, clock }: Pick<IdentityContext, 'database' | 'clock'>,
  { isWithdrawn = false }: SigningKeyRotation = {},
): Promise<string> {
  const { kid, private_jwk } = await createKey();
  for (;;) {
    const { rows } = await sql`
      INSERT INTO oauth_key (number, kid, private_jwk, created_at)
      SELECT coalesce(max(number), 0) + 1, ${kid}::text, ${json(private_jwk)}, ${clock.now()}::timestamptz
      FROM oauth_key
      ON CONFLICT (number) DO NOTHING
      RETURNING kid
    `.execute(database.query());
    // If no row was inserted, another process has just taken this number.
    if (rows.length === 0) continue;
    if (isWithdrawn) await removeKeysBefore(database, kid);
    return kid;
  }
}

async function removeKeysBefore(executor: Executor, kid: string): Promise<void> {
  await sql`
    DELETE FROM oauth_key WHERE number < (SELECT number FROM oauth_key AS newer WHERE newer.kid = ${kid})`.execute(
    executor.query(),
  );
}

/** Returns when each key was created, the newest first, and until when it is accepted; null for the one that signs. */
export async function listSigningKeyTimes(
  executor: Executor,
): Promise<readonly { readonly createdAt: Date; readonly acceptedUntil: Date | null }[]> {
  const { rows } = await sql<{ created_at: Date; replaced_at: Date | null }>`
    SELECT created_at, lag(created_at) OVER (ORDER BY number DESC) AS replaced_at
    FROM oauth_key ORDER BY number DESC`.execute(executor.query());
  return rows.map(({ created_at: createdAt, replaced_at: replacedAt }) => {
    return { createdAt, acceptedUntil: replacedAt && new Date(replacedAt.getTime() + RETIRED_MS) };
  });
}

/** Removes keys that were replaced so long ago that every token they signed has expired. */
export async function removeRetiredKeys(executor: Executor, clock: Clock): Promise<void> {
  const retired = new Date(clock.now().getTime() - RETIRED_MS);
  await sql`
    DELETE FROM oauth_key AS old
    WHERE EXISTS (SELECT FROM oauth_key AS newer WHERE newer.number > old.number AND newer.created_at < ${retired})
  `.execute(executor.query());
}

/** How long a process uses its keys before it reads them again, because another process may have changed them. */
export const OAUTH_KEYS_FRESH_MS = 60_000;
/**
 * The shortest time between two reads. Any caller can send tokens with unknown keys; such a token must not always cause
 * a read.
 */
const COOLDOWN_MS = 1_000;

/** The signing keys of the installation, cached in a process. */
export interface SigningKeyCache {
  current(): Promise<readonly SigningKey[]>;
  /** Returns keys that may be newer than those of `current`. For a token whose key `current` does not return. */
  newest(): Promise<readonly SigningKey[]>;
}

export function cacheSigningKeys(context: IdentityContext): SigningKeyCache {
  const { clock } = context;
  let cached: { readonly keys: readonly SigningKey[]; readonly at: number } | undefined;
  let reading: Promise<readonly SigningKey[]> | undefined;

  /** Reads the keys once for all concurrent callers. */
  const read = (): Promise<readonly SigningKey[]> => {
    reading ??= readSigningKeys(context)
      .then((keys) => {
        cached = { keys, at: clock.now().getTime() };
        return keys;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const notOlderThan = async (ms: number): Promise<readonly SigningKey[]> => {
    // The age is negative if the clock was set back. The keys are then read again.
    const age = clock.now().getTime() - (cached?.at ?? Number.NEGATIVE_INFINITY);
    return cached && age >= 0 && age < ms ? cached.keys : read();
  };

  return { current: () => notOlderThan(OAUTH_KEYS_FRESH_MS), newest: () => notOlderThan(COOLDOWN_MS) };
}

function selectKeys(executor: Executor): Promise<SigningKey[]> {
  return executor
    .query<OAuthTables>()
    .selectFrom('oauth_key')
    .select(['kid', 'private_jwk'])
    .orderBy('number', 'desc')
    .execute();
}

const generate = promisify(generateKeyPair);

async function createKey(): Promise<SigningKey> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return { kid: thumbprint(jwk), private_jwk: jwk };
}

/** Returns the id of a key according to RFC 7638, which can be computed from the public key alone. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
}
