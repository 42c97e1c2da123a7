import { CHECKPOINT_MODELS, type MissingCheckpoint } from '../compute/index.ts';
import { ENGINE_VERSION } from '../engine/index.ts';

/** Formats which checkpoints are not available here, why, and what the operator can do about it. */
export function formatMissingCheckpoints(missing: readonly MissingCheckpoint[]): string {
  const byId = Map.groupBy(missing, ({ id }) => id);
  return [...byId]
    .map(([id, same]) => `${same.map(({ model }) => model).join(', ')} ${id} is not available: ${formatReason(same)}`)
    .join(' ');
}

function formatReason(missing: readonly MissingCheckpoint[]): string {
  const withFiles = missing.find(({ model }) => CHECKPOINT_MODELS.some((id) => id === model));
  if (withFiles === undefined) {
    return `this service runs engine-${ENGINE_VERSION}. Create a new forecast with the same request.`;
  }
  const otherWeights = 'For weights other than the released ones, use --from, --sha256 and --name.';
  return `its files are missing or damaged. ${formatPullHint(withFiles.model)} ${otherWeights}`;
}

/** Returns a hint that a caller can pass on to the operator. */
export function formatPullHint(model: string): string {
  return `The operator of this service can install weights with "almanac models pull ${model}".`;
}
