import { CHECKPOINT_MODELS, type ModelCheckpoint } from '../../compute/index.ts';
import { Fault } from '../../contract/index.ts';
import { sayHowToPull } from '../say-missing.ts';

/** The engine would only say that it has no such model, and not how to come by it. */
export function refuseWithoutCheckpoint(
  asked: readonly string[] | undefined,
  checkpoints: ReadonlyMap<string, ModelCheckpoint>,
): void {
  const lacking = CHECKPOINT_MODELS.find((model) => asked?.includes(model) && !checkpoints.has(model));
  if (lacking === undefined) return;
  const message = `models: ${lacking} has no checkpoint here that can be used. ${sayHowToPull(lacking)}.`;
  throw new Fault('INVALID_REQUEST', message);
}
