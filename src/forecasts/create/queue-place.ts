import type { JobGroup, Transaction } from '../../platform/index.ts';
import type { ForecastContext } from '../context.ts';
import { countTakenSlots } from '../metering/charges.ts';
import { readUnpaidCpu } from '../metering/unpaid-cpu.ts';
import type { Payer } from '../owner.ts';

/** Each plan has this many priorities. The n-th forecast of a payer has the n-th priority from above. */
const PRIORITIES_PER_PLAN = 100;

export interface QueuePlace {
  readonly priority: number;
  readonly group: JobGroup;
}

/**
 * Returns the place of a new forecast in the queue, after its slot was taken. Plans come first. Within a plan, the payer
 * with the fewest queued or running forecasts goes first, so another payer waits for at most one forecast of a payer
 * that has queued many. A payer whose canceled and failed forecasts have used too much CPU in this hour comes last, and
 * its forecasts run one at a time.
 *
 * @param network the hash that `hashGuestNetwork` returns. All guests of a network count as one payer
 */
export async function chooseQueuePlace(
  { clock, unpaidCpuSeconds }: Pick<ForecastContext, 'clock' | 'unpaidCpuSeconds'>,
  tx: Transaction,
  { id, limits }: Payer,
  network: string | null,
): Promise<QueuePlace> {
  const lowest = limits.priority * PRIORITIES_PER_PLAN;
  const isLast = (await readUnpaidCpu(tx, id, clock.now())) > unpaidCpuSeconds;
  if (isLast) return { priority: lowest, group: { id, oneAtATime: true } };
  const unfinished = await countTakenSlots(tx, network ?? id);
  return {
    priority: lowest + Math.max(1, PRIORITIES_PER_PLAN - unfinished),
    group: { id, oneAtATime: false },
  };
}
