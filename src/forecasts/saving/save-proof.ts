import { hash, randomBytes } from 'node:crypto';
import type { Clock, Executor, Transaction } from '../../platform/index.ts';
import type { ForecastTables } from '../tables.ts';

export const SAVE_PROOF_LIFETIME_MS = 15 * 60_000;

/** 32 bytes in base64url. */
const SECRET_FORMAT = /^[\w-]{43}$/;

/** A stored proof, whether or not it can still be used. */
export interface SaveProof {
  readonly secretHash: string;
  readonly forecastId: string;
}

/**
 * Creates a proof for a forecast. Returns the secret, which is not stored. Earlier unused proofs are marked as replaced
 * (consumed without an account). They are stored until they expire, so that a browser that still has one gets the
 * reason why it is unusable.
 */
export async function replaceSaveProof(
  tx: Transaction,
  forecast: { readonly id: string; readonly guestId: string },
  now: Date,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const db = tx.query<ForecastTables>();
  await db
    .updateTable('save_proof')
    .set({ consumed_at: now })
    .where('forecast_id', '=', forecast.id)
    .where('consumed_at', 'is', null)
    .execute();
  await db
    .insertInto('save_proof')
    .values({
      secret_hash: hashSecret(secret),
      forecast_id: forecast.id,
      guest_id: forecast.guestId,
      created_at: now,
      expires_at: new Date(now.getTime() + SAVE_PROOF_LIFETIME_MS),
    })
    .execute();
  return secret;
}

/** Returns the proof with this secret, if it was created for the forecast with this id or slug. */
export async function findSaveProof(executor: Executor, idOrSlug: string, secret: string): Promise<SaveProof | null> {
  if (!SECRET_FORMAT.test(secret)) return null;
  const secretHash = hashSecret(secret);
  const found = await executor
    .query<ForecastTables>()
    .selectFrom('save_proof')
    .innerJoin('forecast', 'forecast.id', 'save_proof.forecast_id')
    .select('forecast.id')
    .where('secret_hash', '=', secretHash)
    .where((where) => where.or([where('forecast.id', '=', idOrSlug), where('forecast.slug', '=', idOrSlug)]))
    .executeTakeFirst();
  return found ? { secretHash, forecastId: found.id } : null;
}

/**
 * Consumes a proof. Returns the id of the guest for which it was created; null if it was already consumed, was replaced
 * or has expired.
 */
export async function consumeSaveProof(
  tx: Transaction,
  { secretHash, forecastId }: SaveProof,
  accountId: string,
  now: Date,
): Promise<string | null> {
  const consumed = await tx
    .query<ForecastTables>()
    .updateTable('save_proof')
    .set({ consumed_at: now, consumed_by: accountId })
    .where('secret_hash', '=', secretHash)
    .where('forecast_id', '=', forecastId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('guest_id')
    .executeTakeFirst();
  return consumed?.guest_id ?? null;
}

/** Removes expired proofs, consumed or not. */
export async function removeExpiredSaveProofs(executor: Executor, clock: Clock): Promise<void> {
  await executor.query<ForecastTables>().deleteFrom('save_proof').where('expires_at', '<=', clock.now()).execute();
}

/** The secret has 256 random bits, so a fast hash is enough. */
function hashSecret(secret: string): string {
  return hash('sha256', secret);
}
