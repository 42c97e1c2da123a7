import type { Account } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { JobContext } from '../context.ts';
import { findForecastFacts, named } from '../find-forecast.ts';
import type { JobTables } from '../tables.ts';
import { lockForecast } from './lock-forecast.ts';
import { consumeProof, findProof, type Proof } from './proof.ts';
import { requireCompleted } from './require-completed.ts';

type SavingContext = Pick<JobContext, 'database' | 'clock'>;

export interface SavedForecast {
  readonly forecastId: string;
  /** The secret that came along was for this forecast and is of no more use. One for another forecast still is. */
  readonly proofSpent: boolean;
}

/**
 * Saves a completed forecast under an account: its own as it is, a guest's with the secret of `prepareSave`. Repeating
 * it is safe.
 */
export async function saveForecast(
  context: SavingContext,
  account: Account,
  idOrSlug: string,
  secret: string | undefined,
): Promise<SavedForecast> {
  const proof = secret === undefined ? null : await findProof(context.database, idOrSlug, secret);
  if (proof) await takeOver(context, account, proof);
  if (!(await isOwn(context, account, idOrSlug))) {
    // Who held a proof knows that the forecast is there; to others it is not, unless they may see and so reproduce it.
    if (!proof) await findForecastFacts(context, account, idOrSlug, 'forecast.reproduce');
    throw notTheirs(proof);
  }
  const { id, status } = await findForecastFacts(context, account, idOrSlug, 'forecast.save');
  requireCompleted(status);
  return { forecastId: id, proofSpent: proof !== null };
}

/** Gives the forecast of a good proof to the account, and uses the proof up: both or neither. */
async function takeOver({ database, clock }: SavingContext, { accountId }: Account, proof: Proof): Promise<void> {
  await database.transaction(async (tx) => {
    await lockForecast(tx, proof.forecastId);
    const guestId = await consumeProof(tx, proof, accountId, clock.now());
    if (guestId === null) return;
    // What it cost stays with the guest, who spent it; a completed forecast has no slot to give back.
    const taken = await tx
      .query<JobTables>()
      .updateTable('forecast')
      .set({ owner: accountId, account_id: accountId, guest_id: null })
      .where('id', '=', proof.forecastId)
      .where('guest_id', '=', guestId)
      .where('status', '=', 'completed')
      .returning('id')
      .executeTakeFirst();
    if (taken === undefined) throw notTheirs(proof);
  });
}

async function isOwn(context: SavingContext, { accountId }: Account, idOrSlug: string): Promise<boolean> {
  const own = named(context, idOrSlug).select('id').where('account_id', '=', accountId);
  return (await own.executeTakeFirst()) !== undefined;
}

function notTheirs(proof: Proof | null): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    proof
      ? 'The proof from prepare-save has expired, was replaced or was used by another account.'
      : 'The forecast belongs to somebody else. Reproduce it to have one of your own.',
  );
}
