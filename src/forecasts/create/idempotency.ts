import { createHash } from 'node:crypto';
import { Fault } from '../../contract/index.ts';
import { canonicalJson } from '../../engine/index.ts';
import type { Clock, Executor, Transaction } from '../../platform/index.ts';
import type { JobTables } from '../tables.ts';

const HONOURED_MS = 24 * 3_600_000;

/** A request that may be sent again without being carried out again. */
export interface RepeatableRequest {
  readonly owner: string;
  readonly key: string;
  readonly sha256: string;
}

export function repeatableRequest(owner: string, key: string, body: object): RepeatableRequest {
  return { owner, key, sha256: createHash('sha256').update(canonicalJson(body)).digest('hex') };
}

/** The forecast that the same request has made before, in the last day; null: none. Another request is refused. */
export async function findRepeated(
  executor: Executor,
  clock: Clock,
  { owner, key, sha256 }: RepeatableRequest,
): Promise<string | null> {
  const found = await executor
    .query<JobTables>()
    .selectFrom('idempotency_key')
    .select(['request_sha256', 'forecast_id'])
    .where('owner', '=', owner)
    .where('key', '=', key)
    .where('created_at', '>', new Date(clock.now().getTime() - HONOURED_MS))
    .executeTakeFirst();
  if (found === undefined) return null;
  if (found.request_sha256 === sha256) return found.forecast_id;
  throw new Fault('IDEMPOTENCY_MISMATCH', 'Idempotency-Key: was used with another request. Send a new key.');
}

/** Remembers the request with its forecast. @returns false when another request with this key came first. */
export async function rememberRequest(
  tx: Transaction,
  clock: Clock,
  { owner, key, sha256 }: RepeatableRequest,
  forecastId: string,
): Promise<boolean> {
  const now = clock.now();
  const stored = await tx
    .query<JobTables>()
    .insertInto('idempotency_key')
    .values({ owner, key, request_sha256: sha256, forecast_id: forecastId, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'key'])
        .doUpdateSet({ request_sha256: sha256, forecast_id: forecastId, created_at: now })
        // One that is no longer honoured makes room.
        .where('idempotency_key.created_at', '<=', new Date(now.getTime() - HONOURED_MS)),
    )
    .returning('forecast_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Keys that are no longer honoured. */
export async function removeOldRequests(executor: Executor, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - HONOURED_MS);
  await executor.query<JobTables>().deleteFrom('idempotency_key').where('created_at', '<=', before).execute();
}
