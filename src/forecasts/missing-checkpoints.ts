import { CHECKPOINT_MODELS, engineVersion, type MissingCheckpoint } from '../compute/index.ts';

/**
 * Formats which checkpoints are not available here, why, and what the operator can do about it.
 *
 * @param present the version of the engine that runs new forecasts here
 */
export function formatMissingCheckpoints(missing: readonly MissingCheckpoint[], present: string): string {
  const byId = Map.groupBy(missing, ({ id }) => id);
  return [...byId]
    .map(
      ([id, same]) =>
        `${same.map(({ model }) => model).join(', ')} ${id} is not available: ${formatReason(same, present)}`,
    )
    .join(' ');
}

function formatReason(missing: readonly MissingCheckpoint[], present: string): string {
  if (missing.some(({ isDamagedEngine }) => isDamagedEngine)) {
    return 'its bundle is missing or damaged. The operator of this service can restore it from the release.';
  }
  const withFiles = missing.find(
    ({ model, id }) => engineVersion(id) === null && CHECKPOINT_MODELS.some((one) => one === model),
  );
  if (withFiles === undefined) {
    return `this service runs engine-${present}. Create a new forecast with the same request.`;
  }
  const otherWeights = 'For weights other than the released ones, use --from, --sha256 and --name.';
  return `its files are missing or damaged. ${formatPullHint(withFiles.model)} ${otherWeights}`;
}

/** Returns a hint that a caller can pass on to the operator. */
export function formatPullHint(model: string): string {
  return `The operator of this service can install weights with "almanac models pull ${model}".`;
}
