import type { JobContext } from '../context.ts';
import { type CallerLimits, monthOf, NETWORK_SLOTS, takenSlots, usageOf } from '../metering/index.ts';
import { noNetworkSlotLeft, noSlotLeft, tooFewCreditsLeft } from './quota-faults.ts';

export interface Caller {
  readonly ownerId: string;
  readonly limits: CallerLimits;
  /** As `guestNetwork` names it. */
  readonly network: string | null;
}

/**
 * Refuses a caller without a slot or a credit left before rows are read and frozen for nothing. It locks nothing, so
 * whom it lets through may still be refused: what `startForecast` finds in its transaction decides.
 */
export async function refuseWithoutRoom(
  { database, clock }: Pick<JobContext, 'database' | 'clock'>,
  { ownerId, limits, network }: Caller,
): Promise<void> {
  if ((await takenSlots(database, ownerId)) >= limits.slots) throw noSlotLeft(limits);
  if (network !== null && (await takenSlots(database, network)) >= NETWORK_SLOTS) throw noNetworkSlotLeft();
  if (limits.credits === null) return;
  const now = clock.now();
  const { reserved, spent } = await usageOf(database, ownerId, monthOf(now));
  if (reserved + spent >= limits.credits) throw tooFewCreditsLeft(limits, null, now);
}
