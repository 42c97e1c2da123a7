import { hash, randomBytes } from 'node:crypto';
import type { Clock, Executor, Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';

export const PROOF_LIFETIME_MS = 15 * 60_000;

/** 32 bytes in base64url. */
const WELL_FORMED = /^[\w-]{43}$/;

/** A stored proof: it was made for this forecast, whether or not it can still be used. */
export interface Proof {
  readonly secretHash: string;
  readonly forecastId: string;
}

/** Makes the only proof of a forecast that can be used. @returns its secret, which is kept nowhere */
export async function replaceProof(
  tx: Transaction,
  forecast: { readonly id: string; readonly guestId: string },
  now: Date,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const db = tx.query<JobTables>();
  await db.deleteFrom('save_proof').where('forecast_id', '=', forecast.id).where('consumed_at', 'is', null).execute();
  await db
    .insertInto('save_proof')
    .values({
      secret_hash: hashOf(secret),
      forecast_id: forecast.id,
      guest_id: forecast.guestId,
      created_at: now,
      expires_at: new Date(now.getTime() + PROOF_LIFETIME_MS),
    })
    .execute();
  return secret;
}

/** The proof with this secret, if it was made for the forecast with this id or slug. */
export async function findProof(executor: Executor, idOrSlug: string, secret: string): Promise<Proof | null> {
  if (!WELL_FORMED.test(secret)) return null;
  const secretHash = hashOf(secret);
  const found = await executor
    .query<JobTables>()
    .selectFrom('save_proof')
    .innerJoin('forecast', 'forecast.id', 'save_proof.forecast_id')
    .select('forecast.id')
    .where('secret_hash', '=', secretHash)
    .where((where) => where.or([where('forecast.id', '=', idOrSlug), where('forecast.slug', '=', idOrSlug)]))
    .executeTakeFirst();
  return found ? { secretHash, forecastId: found.id } : null;
}

/** Uses a proof up. @returns the guest it was made for; null: it was used before, replaced or has expired */
export async function consumeProof(
  tx: Transaction,
  { secretHash, forecastId }: Proof,
  accountId: string,
  now: Date,
): Promise<string | null> {
  const consumed = await tx
    .query<JobTables>()
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

/** Proofs that have expired, used or not. */
export async function removeOldProofs(executor: Executor, clock: Clock): Promise<void> {
  await executor.query<JobTables>().deleteFrom('save_proof').where('expires_at', '<=', clock.now()).execute();
}

/** The secret has 256 random bits, so a fast hash is enough. */
function hashOf(secret: string): string {
  return hash('sha256', secret);
}
