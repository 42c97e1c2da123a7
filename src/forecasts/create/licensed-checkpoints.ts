import { type Licenses, licenseDenied } from '../../access/index.ts';
import type { ModelCheckpoint } from '../../compute/index.ts';
import { DEFAULT_MODELS } from '../../engine/index.ts';
import type { ForecastBody } from './read-input.ts';

type Checkpoints = ReadonlyMap<string, ModelCheckpoint>;

/**
 * The checkpoints whose licences may be used here. A model that the request names must be among them; the default
 * ensemble goes on without those that are not.
 */
export function licensedCheckpoints(
  { models, weights = {} }: Pick<ForecastBody, 'models' | 'weights'>,
  checkpoints: Checkpoints,
  licenses: Licenses,
): Checkpoints {
  const denied = [...checkpoints].filter(([, { licence }]) => !licenses.allows(licence));
  const named = [...(models ?? []), ...Object.keys(weights)];
  const asked = denied.find(([model]) => named.includes(model));
  if (asked) throw licenseDenied(`models: ${asked[0]}`, asked[1].licence);
  const allowed = new Map([...checkpoints].filter(([, { licence }]) => licenses.allows(licence)));
  const [first] = denied;
  // Not one of those that nobody asked for instead.
  if (first && models === undefined && !DEFAULT_MODELS.some((id) => allowed.has(id))) {
    throw licenseDenied(`models: the default ensemble (${first[0]} and the others)`, first[1].licence);
  }
  return allowed;
}
