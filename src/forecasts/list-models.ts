import type { z } from 'zod';
import { type Account, type Guest, UNSTATED_LICENSE } from '../access/index.ts';
import { FREQUENCIES, FREQUENCY_DESCRIPTORS } from '../calendar/index.ts';
import { Fault, type ModelsResponse } from '../contract/index.ts';
import { ENGINE_VERSION, MAX_QUANTILE, MAX_QUANTILES, MIN_QUANTILE, MODEL_CATALOGUE } from '../engine/index.ts';
import { effectivePlan } from '../workspaces/index.ts';
import type { JobContext } from './context.ts';
import { limitsOf } from './metering/limits.ts';

type Models = z.output<typeof ModelsResponse>;

/** What the caller can ask for: by its own plan, or by that of the owner of a workspace in which it has a place. */
export async function listModels(
  { database, checkpoints: known, licenses }: JobContext,
  principal: Account | Guest,
  workspaceId: string | undefined,
): Promise<Models> {
  const own = principal.kind === 'guest' ? null : principal.plan;
  const plan = workspaceId === undefined ? own : await planIn(principal, workspaceId);
  const limits = limitsOf(plan === null ? { kind: 'guest' } : { kind: 'account', plan });
  const checkpoints = await known.current();
  return {
    frequencies: FREQUENCY_DESCRIPTORS.map((descriptor) => ({ ...descriptor })),
    models: MODEL_CATALOGUE.map(({ id, name, defaultWeight, quantileSupport }) => {
      const checkpoint = checkpoints.get(id);
      const license = checkpoint ? (checkpoint.licence ?? UNSTATED_LICENSE) : 'Apache-2.0';
      const allowed = licenses.allows(license);
      return {
        id,
        name,
        available: checkpoint !== undefined && allowed,
        default_weight: defaultWeight,
        quantile_support: quantileSupport,
        checkpoint: checkpoint ? { id: checkpoint.id, sha256: checkpoint.sha256, source: checkpoint.source } : null,
        license: { name: license, allowed },
      };
    }),
    plan: plan ?? 'guest',
    runtime: { engine: ENGINE_VERSION, node: process.version },
    quantiles: { min: MIN_QUANTILE, max: MAX_QUANTILE, max_count: MAX_QUANTILES },
    horizon: Object.fromEntries(FREQUENCIES.map((frequency) => [frequency, limits.horizon])),
    device: 'cpu',
  };

  async function planIn(caller: Account | Guest, workspace: string) {
    const found = caller.kind === 'account' ? await effectivePlan(database, caller.accountId, workspace) : null;
    if (found !== null) return found;
    throw new Fault('WORKSPACE_DENIED', 'The workspace does not exist, or your place in it does not allow this.');
  }
}
