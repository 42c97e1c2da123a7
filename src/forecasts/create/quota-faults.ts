import { Fault } from '../../contract/index.ts';
import type { Charge } from '../charge.ts';
import { NETWORK_SLOTS } from '../metering/network-slots.ts';

/** Forecasts end any moment. */
const TRY_AGAIN_SECONDS = 5;

export function noSlotLeft({ limits: { slots }, isOwn }: Charge): Fault {
  const count = slots === 1 ? 'One forecast' : `${slots} forecasts`;
  const whose = isOwn ? 'of yours' : 'that the owner of the workspace pays for';
  const message = `${count} ${whose} may wait or run at a time. Wait for one to end, or cancel one.`;
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter: TRY_AGAIN_SECONDS });
}

export function noNetworkSlotLeft(): Fault {
  const message = `${NETWORK_SLOTS} forecasts of guests of your network may wait or run at a time. Wait for one to end, or sign in.`;
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter: TRY_AGAIN_SECONDS });
}

/** @param needed credits of the forecast; null: not counted yet, and there is nothing left at all */
export function tooFewCreditsLeft({ limits: { credits }, isOwn }: Charge, needed: number | null, now: Date): Fault {
  const whose = isOwn ? '' : ' of the owner of the workspace';
  const message =
    needed === null
      ? `The ${credits} credits of this month${whose} are used up.`
      : `This forecast takes ${needed} credits, more than are left of the ${credits} of this month${whose}. Fewer models, rows or manual weights take fewer.`;
  return new Fault('QUOTA_EXCEEDED', message, { retryAfter: secondsToNextMonth(now) });
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);
}
