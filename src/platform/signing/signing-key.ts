import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor, Transaction } from '../database/index.ts';
import { SIGNING_KEYS, type SigningKeyName } from './signing-key-names.ts';

export interface SigningKey {
  /** Counts the keys of a name, from 1. */
  readonly number: number;
  readonly secret: Buffer;
}

/** The keys of one name. */
export interface SigningKeys {
  /** The key that signs now. */
  readonly signing: SigningKey;
  /** Every key whose signatures are accepted, the newest first. It may be one that begins to sign in some seconds. */
  readonly accepted: readonly [SigningKey, ...SigningKey[]];
}

interface KeyRow extends SigningKey {
  readonly signs: boolean;
}

/** Returns the keys of a name. The first one is created when it is first read; all processes of the installation share it. */
export async function readSigningKeys(executor: Executor, name: SigningKeyName): Promise<SigningKeys> {
  const rows = await selectKeys(executor, name);
  if (rows.length > 0) return toKeys(rows);
  await sql`
    INSERT INTO signing_key (name, secret) VALUES (${name}, ${randomBytes(32)})
    ON CONFLICT (name) DO NOTHING`.execute(executor.query());
  return toKeys(await selectKeys(executor, name));
}

/** Reads the keys of a name for a row that refers to one of them. No rotation ends before the transaction does. */
export async function lockSigningKeys(tx: Transaction, name: SigningKeyName): Promise<SigningKeys> {
  await readSigningKeys(tx, name);
  await sql`SELECT FROM signing_key WHERE name = ${name} FOR SHARE`.execute(tx.query());
  return readSigningKeys(tx, name);
}

async function selectKeys(executor: Executor, name: string): Promise<readonly KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    SELECT number, secret, coalesce(signs_at <= now(), true) AS signs FROM signing_key WHERE name = ${name}
    UNION ALL
    SELECT number, secret, coalesce(signs_at <= now(), true) FROM previous_signing_key
    WHERE name = ${name} AND coalesce(accepted_until > now(), true)
    ORDER BY number DESC`.execute(executor.query());
  return rows;
}

function toKeys(rows: readonly KeyRow[]): SigningKeys {
  const [newest, ...others] = rows.map(({ number, secret }) => ({ number, secret: Buffer.from(secret) }));
  if (newest === undefined) throw new Error('A signing key was removed while it was read.');
  const accepted = [newest, ...others] as const;
  const index = rows.findIndex(({ signs }) => signs);
  return { signing: accepted[index] ?? newest, accepted };
}

/** How long a process uses the keys that it read. */
export const SIGNING_KEYS_FRESH_MS = 10_000;

/**
 * Returns a function that returns the keys of a name from memory, and reads them again when they are older than
 * `SIGNING_KEYS_FRESH_MS`. If the read fails, the next call reads again.
 */
export function createSigningKeysReader(
  executor: Executor,
  name: SigningKeyName,
  now = () => performance.now(),
): () => Promise<SigningKeys> {
  let cached: { readonly keys: SigningKeys; readonly at: number } | undefined;
  let reading: Promise<SigningKeys> | undefined;

  return async () => {
    if (cached && now() - cached.at < SIGNING_KEYS_FRESH_MS) return cached.keys;
    // The age counts from the beginning of the read: a key that is inserted while it runs may be missing.
    const at = now();
    reading ??= readSigningKeys(executor, name)
      .then((keys) => {
        cached = { keys, at };
        return keys;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
}

/** Removes keys that are no longer accepted. */
export async function removeOldSigningKeys(executor: Executor): Promise<void> {
  await sql`DELETE FROM previous_signing_key WHERE accepted_until <= now()`.execute(executor.query());
}

/** What is known about the keys of a name, without the secrets. */
export interface SigningKeyFacts {
  readonly name: SigningKeyName;
  /** Null if it was created by a build that did not record it. */
  readonly createdAt: Date | null;
  /** When the present key begins to sign, if that is in the future. */
  readonly signsAt: Date | null;
  /** The earlier keys that are still accepted, the newest first, and until when; null while a webhook has a secret of it. */
  readonly earlier: readonly { readonly number: number; readonly acceptedUntil: Date | null }[];
}

/** Returns the facts about the keys that exist. */
export async function listSigningKeys(executor: Executor): Promise<readonly SigningKeyFacts[]> {
  const { rows: present } = await sql<{ name: string; created_at: Date | null; signs_at: Date | null }>`
    SELECT name, created_at, CASE WHEN signs_at > now() THEN signs_at END AS signs_at
    FROM signing_key ORDER BY name`.execute(executor.query());
  const { rows: previous } = await sql<{ name: string; number: number; accepted_until: Date | null }>`
    SELECT name, number, accepted_until FROM previous_signing_key
    WHERE coalesce(accepted_until > now(), true) ORDER BY name, number DESC`.execute(executor.query());
  return present.flatMap(({ name, created_at: createdAt, signs_at: signsAt }) => {
    if (!Object.hasOwn(SIGNING_KEYS, name)) return [];
    const earlier = previous
      .filter((row) => row.name === name)
      .map(({ number, accepted_until: acceptedUntil }) => ({ number, acceptedUntil }));
    return [{ name: name as SigningKeyName, createdAt, signsAt, earlier }];
  });
}
