import type { Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';
import { admit, leave } from './admission.ts';

/** As many guests of one network as may have a forecast waiting or running: anyone can be many guests. */
export const NETWORK_SLOTS = 10;

/**
 * Takes one of the slots that the guests of a network share, for a forecast that is stored. Comes after `admit` of the
 * guest, as `leaveNetwork` comes after its `leave`: locks that are always taken in one order never wait in a circle.
 *
 * @returns false when all are taken: roll back
 */
export async function enterNetwork(tx: Transaction, network: string, forecastId: string): Promise<boolean> {
  if (!(await admit(tx, network, NETWORK_SLOTS))) return false;
  await tx.query<JobTables>().insertInto('network_slot').values({ forecast_id: forecastId, network }).execute();
  return true;
}

/** Gives back the slot that a forecast has of a network, if it has one. */
export async function leaveNetwork(tx: Transaction, forecastId: string): Promise<void> {
  const left = await tx
    .query<JobTables>()
    .deleteFrom('network_slot')
    .where('forecast_id', '=', forecastId)
    .returning('network')
    .executeTakeFirst();
  if (left) await leave(tx, left.network);
}
