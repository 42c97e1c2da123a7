import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { type Clock, type Executor, json } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import type { OAuthKeyTable, OAuthTables } from './tables.ts';

export type SigningKey = Pick<OAuthKeyTable, 'kid' | 'private_jwk'>;

/** How long a key that signs no more is still shown and believed: far longer than any token lives. */
const RETIRED_MS = 24 * 3_600_000;

/** The keys of the installation, the one that signs first. The first one is made when it is first asked for. */
export async function readSigningKeys({ database, clock }: IdentityContext): Promise<SigningKey[]> {
  const keys = await selectKeys(database);
  if (keys.length > 0) return keys;
  const key = await makeKey();
  await database
    .query<OAuthTables>()
    .insertInto('oauth_key')
    .values({ number: 1, ...key, created_at: clock.now() })
    // Of several processes that find none, one is first; the others take its key.
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute();
  return selectKeys(database);
}

/** Makes a new key that signs from now on. Tokens of the one before stay good. @returns the name of the new key */
export async function rotateSigningKey({ database, clock }: IdentityContext): Promise<string> {
  const { kid, private_jwk } = await makeKey();
  for (;;) {
    const { rows } = await sql`
      INSERT INTO oauth_key (number, kid, private_jwk, created_at)
      SELECT coalesce(max(number), 0) + 1, ${kid}::text, ${json(private_jwk)}, ${clock.now()}::timestamptz
      FROM oauth_key
      ON CONFLICT (number) DO NOTHING
      RETURNING kid
    `.execute(database.query());
    // Or somebody else has just taken the next number.
    if (rows.length > 0) return kid;
  }
}

/** Keys that have had a successor for so long that nothing they signed can be good. */
export async function removeRetiredKeys(executor: Executor, clock: Clock): Promise<void> {
  const retired = new Date(clock.now().getTime() - RETIRED_MS);
  await sql`
    DELETE FROM oauth_key AS old
    WHERE EXISTS (SELECT FROM oauth_key AS newer WHERE newer.number > old.number AND newer.created_at < ${retired})
  `.execute(executor.query());
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

async function makeKey(): Promise<SigningKey> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return { kid: thumbprint(jwk), private_jwk: jwk };
}

/** RFC 7638: a name that anyone who has the public half comes to. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
}
