import type { Account, Guest } from '../access/index.ts';
import { Fault } from '../contract/index.ts';
import { chargeFor } from './charge.ts';
import type { JobContext } from './context.ts';
import { guestNetwork } from './create/guest-network.ts';
import { repeatableRequest } from './create/idempotency.ts';
import type { NewForecast } from './create/start-forecast.ts';
import { startInWorkspace } from './create/start-in-workspace.ts';
import { startOnce } from './create/start-once.ts';
import { findOriginal, named, type OriginalForecast } from './find-forecast.ts';
import { ownerOf } from './owner.ts';
import { placeOfCopy } from './place-of-copy.ts';
import { refuseDeniedLicenses } from './refuse-denied-licenses.ts';
import { sayMissing } from './say-missing.ts';

export interface ReproduceOptions {
  readonly idempotencyKey: string | null;
  /** Where the caller is, as requests are counted. */
  readonly network: string | null;
}

/**
 * Queues a forecast again: the frozen rows, the stored settings and the exact checkpoints of the first one. What the
 * caller may do, and what the plan that counts allows, is asked as of now.
 * @returns the id of the new forecast
 */
export async function reproduceForecast(
  context: JobContext,
  principal: Account | Guest,
  idOrSlug: string,
  { idempotencyKey, network }: ReproduceOptions,
): Promise<string> {
  const owner = ownerOf(principal).id;
  const request = idempotencyKey === null ? null : await requestOf(context, owner, idempotencyKey, idOrSlug);
  return startOnce(context, principal, request, async () => {
    const original = await findOriginal(context, principal, idOrSlug);
    const forecast = await anew(context, principal, original, await guestNetwork(context, principal, network));
    return (tx) => startInWorkspace(context, tx, principal, forecast);
  });
}

/**
 * The same by either name of the original. A name that is nobody's stands for itself: what a key that was used before
 * is answered must not tell whether there is such a forecast.
 */
async function requestOf(context: JobContext, owner: string, key: string, idOrSlug: string) {
  const original = await named(context, idOrSlug).select('id').executeTakeFirst();
  return repeatableRequest(owner, key, { reproduces: original?.id ?? idOrSlug });
}

async function anew(
  context: JobContext,
  principal: Account | Guest,
  original: OriginalForecast,
  network: string | null,
): Promise<NewForecast> {
  const { settings, checkpoints } = original;
  const { place, visibility } = await placeOfCopy(context, principal, original);
  // The rows are frozen, but who may no longer read where they came from may not have them used either.
  if (settings.source) {
    const isMaker = original.owner === ownerOf(principal).id;
    await context.sources.of(settings.source).authorizeFrozen?.(principal, settings.source, { isMaker });
  }
  await refuseDeniedLicenses(context, original);
  const { limits } = await chargeFor(context.database, principal, place);
  if (settings.horizon > limits.horizon) {
    throw new Fault('PLAN_REQUIRED', `A horizon of ${settings.horizon} is more than your plan allows now.`);
  }
  await refuseMissingCheckpoints(context, checkpoints);
  return {
    owner: ownerOf(principal),
    network,
    workspaceId: place?.workspaceId ?? null,
    visibility,
    title: original.title,
    request: original.request,
    settings,
    snapshotId: original.snapshot_id,
    checkpoints,
    reproduces: original.id,
    credits: original.credits,
  };
}

/** A checkpoint that is not here is not replaced by another. */
async function refuseMissingCheckpoints(
  { checkpoints }: JobContext,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const missing = await checkpoints.missing(wanted);
  if (missing.length === 0) return;
  throw new Fault('UNPROCESSABLE', `CHECKPOINT_UNAVAILABLE: ${sayMissing(missing)}`);
}
