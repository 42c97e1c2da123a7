import { createHmac } from 'node:crypto';
import type { Account, Guest } from '../../access/index.ts';
import type { ForecastContext } from '../context.ts';
import { networkSlotsTaken, noCreditsLeft, ownerLacksCredits, slotsTaken, tooFewCredits } from '../faults.ts';
import { countCreditsLeft, countTakenSlots, creditMonth, MAX_NETWORK_SLOTS, readUsage } from '../metering/charges.ts';
import type { Payer } from '../owner.ts';

/**
 * Refuses a request whose payer has no slot or no credits left, before rows are read and frozen. Nothing is locked, so
 * the request may still be refused later: `queueForecast` checks again in its transaction.
 *
 * @param network the hash that `hashGuestNetwork` returns
 */
export async function requireCapacity(
  { database, clock }: Pick<ForecastContext, 'database' | 'clock'>,
  { id, limits, isCaller }: Payer,
  network: string | null,
): Promise<void> {
  if ((await countTakenSlots(database, id)) >= limits.slots) throw slotsTaken(limits.slots, isCaller);
  if (network !== null && (await countTakenSlots(database, network)) >= MAX_NETWORK_SLOTS) {
    throw networkSlotsTaken(MAX_NETWORK_SLOTS);
  }
  if (limits.credits === null) return;
  const now = clock.now();
  if (countCreditsLeft(await readUsage(database, id, creditMonth(now)), limits.credits) > 0) return;
  throw isCaller ? noCreditsLeft(limits.credits, now) : ownerLacksCredits(now);
}

/**
 * Refuses a request that costs more credits than its payer has left, before its rows are frozen.
 *
 * @returns the credits that are left; null if they are unlimited
 */
export async function requireCredits(
  { database, clock }: Pick<ForecastContext, 'database' | 'clock'>,
  { id, limits, isCaller }: Payer,
  needed: number,
): Promise<number | null> {
  const { credits: limit } = limits;
  if (limit === null) return null;
  const now = clock.now();
  const left = countCreditsLeft(await readUsage(database, id, creditMonth(now)), limit);
  if (needed > left) throw isCaller ? tooFewCredits({ needed, left, limit }, now) : ownerLacksCredits(now);
  return left;
}

/**
 * Returns the hash by which the forecasts of a guest's network are counted; null for an account, which has its own
 * slots. The hash is keyed, because a plain hash of an address can be reversed by trying all addresses.
 */
export async function hashGuestNetwork(
  { guestNetworkKey }: Pick<ForecastContext, 'guestNetworkKey'>,
  { kind }: Account | Guest,
  network: string | null,
): Promise<string | null> {
  if (kind !== 'guest' || network === null) return null;
  const { signing } = await guestNetworkKey();
  const hash = createHmac('sha256', signing.secret).update(`network ${network}`);
  return `network:${hash.digest('hex').slice(0, 32)}`;
}
