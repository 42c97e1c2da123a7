import { type Account, decide, type Guest, membershipDenied } from '../access/index.ts';
import { type Fingerprint, namedEngine } from '../compute/index.ts';
import { Fault, type Visibility } from '../contract/index.ts';
import { type FoundMembership, findMembership } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { hashGuestNetwork } from './create/check-limits.ts';
import { idempotentRequest, queueIdempotently } from './create/idempotency.ts';
import type { NewForecast } from './create/queue-forecast.ts';
import { checkpointUnavailable, frozenRowsRemoved, notMemberOfWorkspace, originalHorizonTooLong } from './faults.ts';
import { findOriginal, type OriginalForecast, selectByIdOrSlug } from './find-forecast.ts';
import { requireAllowedLicenses } from './forecast-licenses.ts';
import { formatMissingCheckpoints } from './missing-checkpoints.ts';
import { creatorMembership, findPayer, ownerOf } from './owner.ts';

interface ReproduceOptions {
  readonly idempotencyKey: string | null;
  /** The network of the caller's address, as the rate limits count it. */
  readonly network: string | null;
}

/**
 * Queues a copy of a forecast with the frozen rows, the stored settings, the exact checkpoints and the engine of the
 * original. The caller's current access and the payer's current limits apply.
 *
 * @returns the id of the copy
 */
export async function reproduceForecast(
  context: ForecastContext,
  principal: Account | Guest,
  idOrSlug: string,
  { idempotencyKey, network }: ReproduceOptions,
): Promise<string> {
  const owner = ownerOf(principal).id;
  const request = idempotencyKey === null ? null : await reproduceRequest(context, owner, idempotencyKey, idOrSlug);
  return queueIdempotently(context, principal, request, async () => {
    const original = await findOriginal(context, principal, idOrSlug);
    return copyForecast(context, principal, original, await hashGuestNetwork(context, principal, network));
  });
}

/**
 * Returns the request to store with the idempotency key. It is the same for the id and the slug of a forecast. An
 * unknown id or slug is used unchanged: the response to a key that was used before must not reveal whether such a
 * forecast exists.
 */
async function reproduceRequest(context: ForecastContext, owner: string, key: string, idOrSlug: string) {
  const original = await selectByIdOrSlug(context, idOrSlug).select('id').executeTakeFirst();
  return idempotentRequest(owner, key, { reproduces: original?.id ?? idOrSlug });
}

async function copyForecast(
  context: ForecastContext,
  principal: Account | Guest,
  original: OriginalForecast,
  network: string | null,
): Promise<NewForecast> {
  const { settings, checkpoints, snapshot_id: snapshotId, removed_snapshot: removed } = original;
  const { membership, visibility } = await findCopyTarget(context, principal, original);
  // The rows are frozen, but a caller that has lost access to their source must not use them.
  if (settings.source) {
    const isCreator = original.owner === ownerOf(principal).id;
    await context.sources.of(settings.source).authorizeFrozen?.(principal, settings.source, { isCreator });
  }
  if (snapshotId === null) throw frozenRowsRemoved(removed?.removed_at ?? '');
  await requireAllowedLicenses(context, { checkpoints, snapshot_id: snapshotId });
  const payer = await findPayer(context.database, principal, membership);
  await context.load.admitForecast(payer);
  const { limits } = payer;
  if (settings.horizon > limits.horizon) throw originalHorizonTooLong(settings.horizon, limits.horizon);
  const engine = namedEngine(checkpoints, settings.engine ?? engineOf(original));
  const missing = await context.checkpoints.missing(checkpoints, engine);
  // A missing checkpoint is never replaced by another.
  if (missing.length > 0) {
    throw checkpointUnavailable(formatMissingCheckpoints(missing, context.checkpoints.engines.present));
  }
  const isNamed = engine === null || namedEngine(checkpoints, null) === engine;
  return {
    owner: ownerOf(principal),
    network,
    workspaceId: membership?.workspaceId ?? null,
    visibility,
    title: original.title,
    request: original.request,
    settings: isNamed ? settings : { ...settings, engine },
    snapshotId,
    checkpoints,
    reproduces: original.id,
    credits: original.credits,
  };
}

/** Returns the version of the engine that ran a forecast; null if it has no result. */
function engineOf({ fingerprint }: OriginalForecast): string | null {
  return (fingerprint as Fingerprint | null)?.engine ?? null;
}

interface CopyTarget {
  /** The caller's membership in the workspace of the copy; null if the copy is not in a workspace. */
  readonly membership: FoundMembership | null;
  readonly visibility: Visibility;
}

/**
 * Returns the workspace and the visibility of a copy. A forecast of a workspace is reproduced in that workspace by
 * members that may create forecasts there. Every caller may reproduce a public forecast; a caller that may not create
 * forecasts in its workspace gets a private copy outside it.
 */
async function findCopyTarget(
  { database }: Pick<ForecastContext, 'database'>,
  principal: Account | Guest,
  { owner, workspace_id: workspaceId, visibility }: OriginalForecast,
): Promise<CopyTarget> {
  if (workspaceId === null) {
    return { membership: null, visibility: owner === ownerOf(principal).id ? visibility : 'private' };
  }
  const membership =
    principal.kind === 'account' ? await findMembership(database, principal.accountId, workspaceId) : null;
  // If the caller may reproduce a private forecast, it is the caller's own.
  const applicable = membership && visibility === 'private' ? creatorMembership(membership) : membership;
  if (decide(principal, 'forecast.create', { membership: applicable }).allowed) return { membership, visibility };
  if (visibility === 'public') return { membership: null, visibility: 'private' };
  throw membership === null ? notMemberOfWorkspace() : membershipDenied(membership, 'forecast.create');
}

/** Returns whether the caller can have a copy of a forecast that it may see. */
export function canReproduce(
  context: Pick<ForecastContext, 'database'>,
  principal: Account | Guest,
  idOrSlug: string,
): Promise<boolean> {
  return findOriginal(context, principal, idOrSlug)
    .then((original) => findCopyTarget(context, principal, original))
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof Fault && error.code === 'WORKSPACE_DENIED') return false;
        throw error;
      },
    );
}
