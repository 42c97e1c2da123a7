import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../database/index.ts';
import { readSigningKeys } from './signing-key.ts';
import { SIGNING_KEYS, type SigningKeyName } from './signing-key-names.ts';

/**
 * The time from a rotation until the new key signs. It is longer than the time for which a process uses the keys that it
 * read, so that every process accepts the new key before any signs with it.
 */
export const SIGNING_DELAY_MS = 30_000;

export interface RotatedKey {
  readonly number: number;
  /** When the new key begins to sign. */
  readonly signsAt: Date;
  /** Until when the previous key is accepted; null while a webhook has a secret of it. */
  readonly previousUntil: Date | null;
}

/**
 * Replaces the key of a name. The previous keys are still accepted for a while, unless they are withdrawn. Rotations at the
 * same time run one after the other.
 *
 * @param isWithdrawn whether the earlier keys are withdrawn at once
 */
export async function rotateSigningKey(
  tx: Transaction,
  name: SigningKeyName,
  { isWithdrawn }: { readonly isWithdrawn: boolean },
): Promise<RotatedKey> {
  // Creates the first key if nothing has needed it yet.
  await readSigningKeys(tx, name);
  const db = tx.query();
  await sql`SELECT FROM signing_key WHERE name = ${name} FOR UPDATE`.execute(db);
  const { acceptedMs } = SIGNING_KEYS[name];
  const delayMs = isWithdrawn ? 0 : SIGNING_DELAY_MS;
  if (isWithdrawn) await sql`DELETE FROM previous_signing_key WHERE name = ${name}`.execute(db);
  else {
    // The time of the statement, because the transaction may have waited for another rotation.
    await sql`
      INSERT INTO previous_signing_key (name, number, secret, created_at, signs_at, accepted_until)
      SELECT name, number, secret, created_at, signs_at,
        clock_timestamp() + ${acceptedMs === null ? null : delayMs + acceptedMs}::float8 * interval '1 millisecond'
      FROM signing_key WHERE name = ${name}`.execute(db);
  }
  const { rows } = await sql<{ number: number; signs_at: Date; until: Date | null }>`
    UPDATE signing_key SET number = number + 1, secret = ${randomBytes(32)}, created_at = clock_timestamp(),
      signs_at = clock_timestamp() + ${delayMs}::float8 * interval '1 millisecond'
    WHERE name = ${name}
    RETURNING number, signs_at,
      (SELECT accepted_until FROM previous_signing_key AS earlier
       WHERE earlier.name = signing_key.name AND earlier.number = signing_key.number - 1) AS until`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('A signing key was removed while it was replaced.');
  return { number: row.number, signsAt: row.signs_at, previousUntil: row.until };
}
