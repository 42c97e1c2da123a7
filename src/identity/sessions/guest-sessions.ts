import type { Guest } from '../../access/index.ts';
import { DAY_MS, HOUR_MS } from '../../calendar/index.ts';
import { newId, type Transaction } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { hashSecret, isWellFormedSecret, newSecret } from '../secrets.ts';
import type { IdentityTables } from '../tables.ts';

export const GUEST_LIFETIME_MS = 30 * DAY_MS;

export interface GuestSession {
  readonly guestId: string;
  readonly expiresAt: Date;
}

/** Creates a guest session. The caller sends its secret to the browser in a cookie. */
export async function createGuest(context: IdentityContext): Promise<GuestSession & { secret: string }> {
  const now = context.clock.now();
  const secret = newSecret('alm_gst_');
  const guestId = newId('gst', now.getTime());
  const expiresAt = new Date(now.getTime() + GUEST_LIFETIME_MS);
  await context.database
    .query<IdentityTables>()
    .insertInto('guest_session')
    .values({ id: guestId, secret_hash: hashSecret(secret), created_at: now, expires_at: expiresAt })
    .execute();
  return { guestId, secret, expiresAt };
}

export async function findGuest(context: IdentityContext, secret: string): Promise<GuestSession | null> {
  if (!isWellFormedSecret(secret, 'alm_gst_')) return null;
  const row = await context.database
    .query<IdentityTables>()
    .selectFrom('guest_session')
    .select(['id', 'expires_at'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('expires_at', '>', context.clock.now())
    .executeTakeFirst();
  return row ? { guestId: row.id, expiresAt: row.expires_at } : null;
}

export async function authenticateGuest(context: IdentityContext, secret: string): Promise<Guest | null> {
  const session = await findGuest(context, secret);
  return session && { kind: 'guest', guestId: session.guestId };
}

/** A request that began before the session expired may still store something for the guest. */
const REMOVAL_DELAY_MS = HOUR_MS;

/** Returns guests whose session has expired, oldest first. */
export async function findExpiredGuests(
  { database, clock }: Pick<IdentityContext, 'database' | 'clock'>,
  limit: number,
): Promise<string[]> {
  const rows = await database
    .query<IdentityTables>()
    .selectFrom('guest_session')
    .select('id')
    .where('expires_at', '<', new Date(clock.now().getTime() - REMOVAL_DELAY_MS))
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes guests. Remove what belongs to them first, in the same transaction. */
export async function removeGuests(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query<IdentityTables>().deleteFrom('guest_session').where('id', 'in', ids).execute();
}
