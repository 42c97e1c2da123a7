import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import type { ForecastContext } from '../context.ts';
import { findPayer, ownerOf } from '../owner.ts';
import { hashGuestNetwork, requireCapacity } from './check-limits.ts';
import { hasUsedKey } from './idempotency.ts';

interface UnreadRequest {
  readonly idempotencyKey: string | null;
  /** The network of the caller's address, as the rate limits count it. */
  readonly network: string | null;
  /** Whether the request may name a workspace, whose owner then pays. */
  readonly mayNameWorkspace: boolean;
}

/**
 * Refuses a request whose caller has no slot or no credits left, before its rows are parsed and checked. Only callers
 * that certainly pay themselves are refused here; `createForecast` checks every request again.
 */
export async function admitRequest(
  context: Pick<ForecastContext, 'database' | 'clock' | 'guestNetworkKey'>,
  principal: Account | Guest,
  { idempotencyKey, network, mayNameWorkspace }: UnreadRequest,
): Promise<void> {
  if (mayNameWorkspace && principal.kind !== 'guest') return;
  try {
    const payer = await findPayer(context.database, principal, null);
    await requireCapacity(context, payer, await hashGuestNetwork(context, principal, network));
  } catch (error) {
    // The slot may have been taken by an equal request, whose forecast is the response to this one.
    const { database, clock } = context;
    const owner = ownerOf(principal).id;
    const mayBeRepeated = error instanceof Fault && idempotencyKey !== null;
    if (mayBeRepeated && (await hasUsedKey(database, clock, { owner, key: idempotencyKey }))) return;
    throw error;
  }
}
