import type { Transaction } from '../platform/index.ts';
import { recordEvent } from './events/record-event.ts';
import { leave } from './metering/admission.ts';
import { leaveNetwork } from './metering/network-slots.ts';
import { capture, release } from './metering/settle.ts';

/** A forecast whose state has just been changed to its last one. */
export interface FinishedForecast {
  readonly id: string;
  readonly payer: string;
  readonly guest_id: string | null;
  readonly credits: number;
}

/**
 * What belongs to the end of a forecast: its slot, its credits, its last event. Called once for each forecast, by
 * whoever's guarded statement changed the state, in the same transaction.
 */
export async function settle(
  tx: Transaction,
  { id, payer, guest_id, credits }: FinishedForecast,
  outcome: { readonly kind: 'completed' | 'failed'; readonly data: object },
  now: Date,
): Promise<void> {
  const charge = { owner: payer, forecastId: id, credits, now };
  await leave(tx, payer);
  if (guest_id !== null) await leaveNetwork(tx, id);
  await (outcome.kind === 'completed' ? capture(tx, charge) : release(tx, charge));
  await recordEvent(tx, { forecastId: id, kind: outcome.kind, data: { status: outcome.kind, ...outcome.data }, now });
}
