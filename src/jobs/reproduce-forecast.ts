import type { Account, Guest } from '../access/index.ts';
import { Fault } from '../contract/index.ts';
import type { JobContext } from './context.ts';
import { missingCheckpoints } from './create/accept-request.ts';
import { startForecast } from './create/start-forecast.ts';
import { workspaceFor } from './create/workspace-for.ts';
import type { ForecastRow } from './find-forecast.ts';
import { limitsOf } from './metering/index.ts';
import { ownerOf } from './owner.ts';

/**
 * Queues a forecast again: the frozen rows, the stored settings and the exact checkpoints of the first one. What the
 * caller may do, and what its plan allows, is asked as of now.
 * @returns the id of the new forecast
 */
export async function reproduceForecast(
  context: JobContext,
  principal: Account | Guest,
  original: ForecastRow,
): Promise<string> {
  const limits = limitsOf(principal);
  const { settings, checkpoints } = original;
  if (settings.horizon > limits.horizon) {
    throw new Fault('PLAN_REQUIRED', `A horizon of ${settings.horizon} is more than your plan allows now.`);
  }
  refuseMissingCheckpoints(context, checkpoints);
  // Somebody else's public forecast becomes a private one of the caller's own, in no workspace.
  const isOwn = original.owner === ownerOf(principal).id || original.visibility !== 'public';
  const visibility = isOwn ? original.visibility : 'private';
  const workspaceId =
    isOwn && original.workspace_id !== null
      ? await workspaceFor(context, principal, { workspace_id: original.workspace_id, visibility })
      : null;
  return context.database.transaction((tx) =>
    startForecast(context, tx, {
      owner: ownerOf(principal),
      limits,
      workspaceId,
      visibility,
      title: original.title,
      subject: original.slug,
      request: original.request,
      settings,
      snapshotId: original.snapshot_id,
      checkpoints,
      reproduces: original.id,
      credits: original.credits,
    }),
  );
}

/** A checkpoint that is not here is not replaced by another. */
function refuseMissingCheckpoints({ models }: JobContext, checkpoints: Readonly<Record<string, string>>): void {
  const missing = missingCheckpoints(checkpoints, models);
  if (missing.length === 0) return;
  throw new Fault('UNPROCESSABLE', `CHECKPOINT_UNAVAILABLE: ${missing.join(', ')} cannot be run here.`);
}
