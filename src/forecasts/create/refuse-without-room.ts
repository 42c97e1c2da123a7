import type { Charge } from '../charge.ts';
import type { JobContext } from '../context.ts';
import { takenSlots } from '../metering/admission.ts';
import { monthOf } from '../metering/month.ts';
import { NETWORK_SLOTS } from '../metering/network-slots.ts';
import { usageOf } from '../metering/usage.ts';
import { noNetworkSlotLeft, noSlotLeft, tooFewCreditsLeft } from './quota-faults.ts';

/**
 * Refuses a caller without a slot or a credit left before rows are read and frozen for nothing. It locks nothing, so
 * whom it lets through may still be refused: what `startForecast` finds in its transaction decides.
 *
 * @param network as `guestNetwork` names it
 */
export async function refuseWithoutRoom(
  { database, clock }: Pick<JobContext, 'database' | 'clock'>,
  charge: Charge,
  network: string | null,
): Promise<void> {
  const { payer, limits } = charge;
  if ((await takenSlots(database, payer)) >= limits.slots) throw noSlotLeft(charge);
  if (network !== null && (await takenSlots(database, network)) >= NETWORK_SLOTS) throw noNetworkSlotLeft();
  if (limits.credits === null) return;
  const now = clock.now();
  const { reserved, spent } = await usageOf(database, payer, monthOf(now));
  if (reserved + spent >= limits.credits) throw tooFewCreditsLeft(charge, null, now);
}
