import type { Account, Guest } from '../../access/index.ts';
import { Fault } from '../../contract/index.ts';
import { freeze } from '../../snapshots/index.ts';
import type { JobContext } from '../context.ts';
import { countCredits, limitsOf } from '../metering/index.ts';
import { ownerOf } from '../owner.ts';
import { acceptRequest } from './accept-request.ts';
import { guestNetwork } from './guest-network.ts';
import { repeatableRequest } from './idempotency.ts';
import { type ForecastBody, readInput } from './read-input.ts';
import { refuseWithoutRoom } from './refuse-without-room.ts';
import { startForecast } from './start-forecast.ts';
import { startOnce } from './start-once.ts';
import { workspaceFor } from './workspace-for.ts';

export interface CreateOptions {
  readonly idempotencyKey: string | null;
  /** Where the caller is, as requests are counted. */
  readonly network: string | null;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes a request: reads and freezes its rows, and queues it with everything that belongs to it, or nothing.
 * @returns the id of the forecast
 */
export async function createForecast(
  context: JobContext,
  principal: Account | Guest,
  body: ForecastBody,
  { idempotencyKey, network: callersNetwork, signal }: CreateOptions,
): Promise<string> {
  const owner = ownerOf(principal);
  const limits = limitsOf(principal);
  const repeatable = idempotencyKey === null ? null : repeatableRequest(owner.id, idempotencyKey, body);
  return startOnce(context, repeatable, async () => {
    if (body.horizon > limits.horizon) {
      throw new Fault('INVALID_REQUEST', `horizon: may be ${limits.horizon} at most for you.`);
    }
    const workspaceId = await workspaceFor(context, principal, body);
    const network = await guestNetwork(context, principal, callersNetwork);
    await refuseWithoutRoom(context, { ownerId: owner.id, limits, network });
    const input = await readInput(context, principal, body, signal);
    const current = await context.checkpoints.current();
    const { settings, mostFolds, checkpoints } = acceptRequest(body, input, current);
    const snapshot = await freeze(context, { about: input.about, table: input.table });
    const forecast = {
      owner,
      limits,
      network,
      workspaceId,
      visibility: body.visibility,
      title: body.title ?? null,
      request: withoutPoints(body),
      settings,
      snapshotId: snapshot.id,
      checkpoints,
      reproduces: null,
      credits: countCredits({ models: settings.models.length, rows: snapshot.rows, folds: mostFolds }),
    };
    return (tx) => startForecast(context, tx, forecast);
  });
}

/** The rows are in the snapshot. */
function withoutPoints(body: ForecastBody): object {
  return body.source.type === 'inline' ? { ...body, source: { type: 'inline' } } : body;
}
