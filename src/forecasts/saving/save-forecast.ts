import type { Account, Guest } from '../../access/index.ts';
import type { ForecastStatus } from '../../contract/index.ts';
import type { Transaction } from '../../platform/index.ts';
import type { ForecastContext } from '../context.ts';
import {
  forecastNotFound,
  guestRequired,
  notCompleted,
  ownedByAnother,
  privateRequired,
  saveProofUnusable,
} from '../faults.ts';
import { findForecastFacts, selectByIdOrSlug } from '../find-forecast.ts';
import { requireAllowedLicenses } from '../forecast-licenses.ts';
import { requestForecastStamp } from '../forecast-proof.ts';
import { canReproduce } from '../reproduce-forecast.ts';
import { requireStorage } from '../storage/storage-budgets.ts';
import type { ForecastTables } from '../tables.ts';
import { consumeSaveProof, findSaveProof, replaceSaveProof, type SaveProof } from './save-proof.ts';

type SavingContext = Pick<ForecastContext, 'database' | 'clock' | 'checkpoints' | 'licenses' | 'storage' | 'stamps'>;

/** The data with which the browser of a guest can save one forecast after signing in. */
interface PreparedSave {
  readonly forecastId: string;
  readonly secret: string;
}

/**
 * Creates the proof by which `saveForecast` later recognizes the guest that created the forecast. Earlier proofs become
 * invalid.
 */
export async function prepareSave(
  context: Pick<ForecastContext, 'database' | 'clock'>,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<PreparedSave> {
  if (principal.kind === 'account') throw guestRequired();
  const { guestId } = principal;
  const { id } = await findForecastFacts(context, principal, idOrSlug, 'forecast.prepare_save');
  const secret = await context.database.transaction(async (tx) => {
    const forecast = await lockForecast(tx, id);
    // Checked again under the lock: the forecast may have been saved since it was found.
    if (forecast?.guest_id !== guestId || forecast.workspace_id !== null) throw forecastNotFound();
    if (forecast.visibility !== 'private') throw privateRequired(forecast.visibility);
    requireCompleted(forecast.status);
    return replaceSaveProof(tx, { id, guestId }, context.clock.now());
  });
  return { forecastId: id, secret };
}

interface SavedForecast {
  readonly forecastId: string;
  /**
   * Whether the secret of the request was for this forecast and can no longer be used. A secret for another forecast
   * stays usable.
   */
  readonly proofSpent: boolean;
}

/**
 * Saves a completed forecast under an account. The account's own forecast needs no secret; a guest's forecast needs the
 * secret from `prepareSave`. Repeating the request is safe.
 */
export async function saveForecast(
  context: SavingContext,
  account: Account,
  idOrSlug: string,
  secret: string | undefined,
): Promise<SavedForecast> {
  const proof = secret === undefined ? null : await findSaveProof(context.database, idOrSlug, secret);
  if (proof) {
    await requireSavableLicenses(context, proof.forecastId);
    await transferForecast(context, account, proof);
  }
  if (!(await isOwnedBy(context, account, idOrSlug))) {
    if (proof) throw saveProofUnusable();
    // Without a proof, the forecast is found only for callers that may see it.
    throw ownedByAnother(await canReproduce(context, account, idOrSlug));
  }
  const { id, status } = await findForecastFacts(context, account, idOrSlug, 'forecast.save');
  requireCompleted(status);
  if (!proof) await requireSavableLicenses(context, id);
  return { forecastId: id, proofSpent: proof !== null };
}

async function requireSavableLicenses(context: SavingContext, id: string): Promise<void> {
  const stored = await selectByIdOrSlug(context, id).select(['checkpoints', 'snapshot_id']).executeTakeFirst();
  if (stored) await requireAllowedLicenses(context, stored);
}

/** Transfers the forecast of a valid proof to the account and consumes the proof, in one transaction. */
async function transferForecast(context: SavingContext, account: Account, proof: SaveProof): Promise<void> {
  const { database, clock } = context;
  const { accountId, plan } = account;
  await database.transaction(async (tx) => {
    await lockForecast(tx, proof.forecastId);
    const guestId = await consumeSaveProof(tx, proof, accountId, clock.now());
    if (guestId === null) return;
    // The guest has paid with its credits, so the payer does not change. A completed forecast has no slot to release.
    const transferred = await tx
      .query<ForecastTables>()
      .updateTable('forecast')
      .set({ owner: accountId, account_id: accountId, guest_id: null, guest_network: null })
      .where('id', '=', proof.forecastId)
      .where('guest_id', '=', guestId)
      .where('status', '=', 'completed')
      .returning(['id', 'content_cid', 'guest_id', 'visibility'])
      .executeTakeFirst();
    if (transferred === undefined) throw saveProofUnusable();
    await requestForecastStamp(tx, context.stamps, transferred, clock.now());
    const payer = { id: accountId, plan, isCaller: true };
    await requireStorage(context, tx, payer, { workspaceId: null, network: null });
  });
}

async function isOwnedBy(context: SavingContext, { accountId }: Account, idOrSlug: string): Promise<boolean> {
  const own = selectByIdOrSlug(context, idOrSlug).select('id').where('account_id', '=', accountId);
  return (await own.executeTakeFirst()) !== undefined;
}

function requireCompleted(status: ForecastStatus): void {
  if (status !== 'completed') throw notCompleted(status);
}

/**
 * Locks a forecast until the transaction ends, so that preparing and saving it run one after the other. Both lock the
 * forecast before its proofs, so they cannot deadlock.
 */
function lockForecast(tx: Transaction, id: string) {
  return tx
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['guest_id', 'workspace_id', 'visibility', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}
