import type { Account, Guest } from '../../access/index.ts';
import { Fault, type Visibility } from '../../contract/index.ts';
import { freeze } from '../../snapshots/index.ts';
import { chargeFor } from '../charge.ts';
import type { JobContext } from '../context.ts';
import { countCredits } from '../metering/count-credits.ts';
import { ownerOf } from '../owner.ts';
import { acceptRequest } from './accept-request.ts';
import { guestNetwork } from './guest-network.ts';
import { repeatableRequest } from './idempotency.ts';
import { licensedCheckpoints } from './licensed-checkpoints.ts';
import { placeFor } from './place-for.ts';
import { type ForecastBody, readInput } from './read-input.ts';
import { refuseWithoutRoom } from './refuse-without-room.ts';
import { startInWorkspace } from './start-in-workspace.ts';
import { startOnce } from './start-once.ts';

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
  asked: ForecastBody,
  { idempotencyKey, network: callersNetwork, signal }: CreateOptions,
): Promise<string> {
  const owner = ownerOf(principal);
  const body = { ...asked, visibility: visibilityOf(asked) };
  const repeatable = idempotencyKey === null ? null : repeatableRequest(owner.id, idempotencyKey, body);
  return startOnce(context, principal, repeatable, async () => {
    const place = await placeFor(context, principal, body);
    const charge = await chargeFor(context.database, principal, place);
    const { horizon } = charge.limits;
    if (body.horizon > horizon) throw new Fault('INVALID_REQUEST', `horizon: may be ${horizon} at most for you.`);
    const network = await guestNetwork(context, principal, callersNetwork);
    await refuseWithoutRoom(context, charge, network);
    const input = await readInput(context, principal, body, signal);
    const usable = licensedCheckpoints(body, await context.checkpoints.current(), context.licenses);
    const { settings, mostFolds, checkpoints } = acceptRequest(body, input, usable);
    const snapshot = await freeze(context, { about: input.about, table: input.table });
    const forecast = {
      owner,
      network,
      workspaceId: place?.workspaceId ?? null,
      visibility: body.visibility,
      title: body.title ?? null,
      request: withoutPoints(body),
      settings,
      snapshotId: snapshot.id,
      checkpoints,
      reproduces: null,
      credits: countCredits({ models: settings.models.length, rows: snapshot.rows, folds: mostFolds }),
    };
    return (tx) => startInWorkspace(context, tx, principal, forecast);
  });
}

/** Left out: for the workspace that it is in, if it is in one. */
function visibilityOf({ visibility, workspace_id }: ForecastBody): Visibility {
  return visibility ?? (workspace_id === undefined ? 'private' : 'workspace');
}

/** The rows are in the snapshot. */
function withoutPoints(body: ForecastBody): object {
  return body.source.type === 'inline' ? { ...body, source: { type: 'inline' } } : body;
}
