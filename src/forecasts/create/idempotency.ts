import { createHash } from 'node:crypto';
import type { Account, Guest } from '../../access/index.ts';
import { DAY_MS } from '../../calendar/index.ts';
import { canonicalJson, Fault } from '../../contract/index.ts';
import { type Clock, count, type Executor, type Transaction } from '../../platform/index.ts';
import { findMembership, workspaceDenied } from '../../workspaces/index.ts';
import type { ForecastContext } from '../context.ts';
import { idempotencyMismatch } from '../faults.ts';
import type { ForecastTables } from '../tables.ts';
import { type NewForecast, queueForecast, requireMayCreate } from './queue-forecast.ts';

const KEY_LIFETIME_MS = DAY_MS;

/** A request with an idempotency key, which can be sent again without creating another forecast. */
interface IdempotentRequest {
  readonly owner: string;
  readonly key: string;
  readonly sha256: string;
}

export function idempotentRequest(owner: string, key: string, request: object): IdempotentRequest {
  return { owner, key, sha256: createHash('sha256').update(canonicalJson(request)).digest('hex') };
}

/** Thrown if a concurrent request with the same key commits first. The forecast of that request is returned instead. */
class KeyAlreadyUsed extends Error {}

/**
 * Queues the forecast of a request, or finds the forecast that an equal request has queued. Repeated and concurrent
 * requests with the same key create one forecast.
 *
 * @param request null if the request has no idempotency key
 * @param prepare does the work that comes before the transaction; not called for a repeated request
 * @returns the id of the forecast
 */
export async function queueIdempotently(
  context: ForecastContext,
  principal: Account | Guest,
  request: IdempotentRequest | null,
  prepare: () => Promise<NewForecast>,
): Promise<string> {
  const { database, clock } = context;
  const earlier = request && (await findEarlierForecast(database, clock, request));
  if (earlier) return requireStillAllowed(database, principal, earlier);
  try {
    const forecast = await prepare();
    const queued = await database.transaction(async (tx) => {
      const id = await queueForecast(context, tx, principal, forecast);
      if (request && !(await storeRequest(tx, clock, request, id))) throw new KeyAlreadyUsed();
      return id;
    });
    count('forecasts_created_total', {});
    return queued;
  } catch (error) {
    // A slot or credits may be missing because the first of several equal requests has just taken them.
    const mayBeRepeated = error instanceof KeyAlreadyUsed || error instanceof Fault;
    const first = request && mayBeRepeated && (await findEarlierForecast(database, clock, request));
    if (first) return requireStillAllowed(database, principal, first);
    throw error;
  }
}

/**
 * Returns the forecast that an equal request with this key created in the last day; null if there is none. Refuses a
 * different request with the same key.
 */
async function findEarlierForecast(
  executor: Executor,
  clock: Clock,
  { owner, key, sha256 }: IdempotentRequest,
): Promise<string | null> {
  const found = await findKey(executor, clock, { owner, key });
  if (found === undefined) return null;
  if (found.request_sha256 !== sha256) throw idempotencyMismatch();
  return found.forecast_id;
}

/** Returns whether a request of the last day had this key, equal or not. */
export async function hasUsedKey(executor: Executor, clock: Clock, key: OwnedKey): Promise<boolean> {
  return (await findKey(executor, clock, key)) !== undefined;
}

type OwnedKey = Pick<IdempotentRequest, 'owner' | 'key'>;

function findKey(executor: Executor, clock: Clock, { owner, key }: OwnedKey) {
  return executor
    .query<ForecastTables>()
    .selectFrom('idempotency_key')
    .select(['request_sha256', 'forecast_id'])
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('created_at', '>', new Date(clock.now().getTime() - KEY_LIFETIME_MS))
    .executeTakeFirst();
}

/** Stores a request with its forecast. Returns false if another request with this key was stored first. */
async function storeRequest(
  tx: Transaction,
  clock: Clock,
  { owner, key, sha256 }: IdempotentRequest,
  forecastId: string,
): Promise<boolean> {
  const now = clock.now();
  const stored = await tx
    .query<ForecastTables>()
    .insertInto('idempotency_key')
    .values({ owner, key, request_sha256: sha256, forecast_id: forecastId, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'key'])
        .doUpdateSet({ request_sha256: sha256, forecast_id: forecastId, created_at: now })
        // An expired key can be used again.
        .where('idempotency_key.created_at', '<=', new Date(now.getTime() - KEY_LIFETIME_MS)),
    )
    .returning('forecast_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Checks a repeated request like any other: in a workspace, the caller needs a membership that allows it now. */
async function requireStillAllowed(executor: Executor, principal: Account | Guest, id: string): Promise<string> {
  const forecast = await executor
    .query<ForecastTables>()
    .selectFrom('forecast')
    .select(['workspace_id', 'visibility', 'reproduces'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (forecast === undefined || forecast.workspace_id === null) return id;
  if (principal.kind === 'guest') throw workspaceDenied();
  const membership = await findMembership(executor, principal.accountId, forecast.workspace_id);
  requireMayCreate(principal, membership, forecast);
  return id;
}

/** Removes expired idempotency keys. */
export async function removeExpiredRequests(executor: Executor, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - KEY_LIFETIME_MS);
  await executor.query<ForecastTables>().deleteFrom('idempotency_key').where('created_at', '<=', before).execute();
}
