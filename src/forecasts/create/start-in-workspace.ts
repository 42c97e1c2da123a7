import type { Account, Guest } from '../../access/index.ts';
import type { Transaction } from '../../platform/index.ts';
import { addToOwnScope, findMembership, lockWorkspace, workspaceDenied } from '../../workspaces/index.ts';
import { chargeFor } from '../charge.ts';
import type { JobContext } from '../context.ts';
import { requireStarting } from './require-starting.ts';
import { type NewForecast, startForecast } from './start-forecast.ts';

/**
 * Queues a forecast where it belongs. Between the request and this transaction its rows were read, and who asked may have
 * lost its place in the workspace, or the workspace may have another owner who pays: that is asked again here, where it
 * can no longer change before the forecast is there.
 * @returns its id
 */
export async function startInWorkspace(
  context: JobContext,
  tx: Transaction,
  principal: Account | Guest,
  forecast: NewForecast,
): Promise<string> {
  const { workspaceId } = forecast;
  if (workspaceId === null) return startForecast(context, tx, forecast, await chargeFor(tx, principal, null));
  if (principal.kind === 'guest') throw workspaceDenied();
  await lockWorkspace(tx, workspaceId);
  const own = await findMembership(tx, principal.accountId, workspaceId);
  requireStarting(principal, own, forecast);
  const id = await startForecast(context, tx, forecast, await chargeFor(tx, principal, own));
  // Others see what is in a list.
  if (own !== null && forecast.visibility !== 'private') await addToOwnScope(tx, own, 'forecasts', id);
  return id;
}
