import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { JobContext } from '../context.ts';
import { findForecastFacts } from '../find-forecast.ts';
import { lockForecast } from './lock-forecast.ts';
import { replaceProof } from './proof.ts';
import { requireCompleted } from './require-completed.ts';

/** What lets the browser of a guest save one forecast once it has signed in. */
export interface PreparedSave {
  readonly forecastId: string;
  readonly secret: string;
}

/** Proves to a later `saveForecast` that the guest who made a forecast asks for it. Earlier proofs stop working. */
export async function prepareSave(
  context: Pick<JobContext, 'database' | 'clock'>,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<PreparedSave> {
  if (principal.kind === 'account') {
    throw new Fault(
      'OWNERSHIP_REQUIRED',
      'Only the guest who made a forecast can prepare to save it, before signing in. An account saves its own at once.',
    );
  }
  const { guestId } = principal;
  const { id } = await findForecastFacts(context, principal, idOrSlug, 'forecast.prepare_save');
  const secret = await context.database.transaction(async (tx) => {
    const forecast = await lockForecast(tx, id);
    // Looked at again: somebody may have saved it in between.
    if (forecast?.guest_id !== guestId || forecast.workspace_id !== null) return null;
    if (forecast.visibility !== 'private') throw notPrivate(forecast.visibility);
    requireCompleted(forecast.status);
    return replaceProof(tx, { id, guestId }, context.clock.now());
  });
  if (secret === null) throw new Fault('NOT_FOUND', 'No forecast with this id or slug.');
  return { forecastId: id, secret };
}

function notPrivate(visibility: string): Fault {
  return new Fault(
    'OWNERSHIP_REQUIRED',
    `The forecast is ${visibility}; only a private one can be saved this way. Sign in and reproduce it to have one of your own.`,
  );
}
