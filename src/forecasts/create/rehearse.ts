import type { Database, Transaction } from '../../platform/index.ts';

/** Thrown to end a transaction whose changes must not stay. */
class Rehearsed extends Error {}

/** Runs work in a transaction and takes its changes back, so that of the work only its faults remain. */
export async function rehearse(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await work(tx);
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}
