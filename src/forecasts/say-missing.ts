import { CHECKPOINT_MODELS, type MissingCheckpoint } from '../compute/index.ts';

/** Which checkpoints cannot be run here, why, and what can be done about it. */
export function sayMissing(missing: readonly MissingCheckpoint[]): string {
  const byId = Map.groupBy(missing, ({ id }) => id);
  return [...byId].map(([id, of]) => `${of.map(({ model }) => model).join(', ')} ${id} ${sayWhy(of)}`).join(' ');
}

function sayWhy(missing: readonly MissingCheckpoint[]): string {
  const withFiles = missing.find(({ model }) => CHECKPOINT_MODELS.some((one) => one === model));
  if (withFiles === undefined) return 'cannot be run here: this service has another version of the engine.';
  const remedy = `${sayHowToPull(withFiles.model)}; --from, --sha256 and --name bring others than the released ones`;
  return `cannot be run here: its files are not installed, or damaged. ${remedy}.`;
}

/** A caller can pass it on. */
export function sayHowToPull(model: string): string {
  return `Whoever runs the service can install weights with "almanac models pull ${model}"`;
}
