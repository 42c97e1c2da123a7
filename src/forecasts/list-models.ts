import type { z } from 'zod';
import { type Account, type Guest, UNSTATED_LICENSE } from '../access/index.ts';
import { FREQUENCIES, FREQUENCY_DESCRIPTORS } from '../calendar/index.ts';
import type { ModelsResponse } from '../contract/index.ts';
import { MAX_QUANTILE, MAX_QUANTILES, MIN_QUANTILE, MODEL_CATALOG, maxHorizon } from '../engine/index.ts';
import { readOwnerPlan, workspaceDenied } from '../workspaces/index.ts';
import type { ForecastContext } from './context.ts';
import { forecastLimits } from './owner.ts';

type Models = z.output<typeof ModelsResponse>;

/**
 * Returns the models and the limits of a plan: the caller's plan or, in a workspace, the plan of the workspace's owner.
 */
export async function listModels(
  { database, checkpoints: known, licenses }: ForecastContext,
  principal: Account | Guest,
  workspaceId: string | undefined,
): Promise<Models> {
  const own = principal.kind === 'guest' ? null : principal.plan;
  const plan = workspaceId === undefined ? own : await requirePlan(principal, workspaceId);
  const limits = forecastLimits(plan);
  const checkpoints = await known.current();
  return {
    frequencies: FREQUENCY_DESCRIPTORS.map((descriptor) => ({ ...descriptor })),
    models: MODEL_CATALOG.map(({ id, name, defaultWeight, quantileSupport }) => {
      const checkpoint = checkpoints.get(id);
      const license = checkpoint ? (checkpoint.license ?? UNSTATED_LICENSE) : 'Apache-2.0';
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
    runtime: { engine: known.engines.present, node: process.version },
    quantiles: { min: MIN_QUANTILE, max: MAX_QUANTILE, max_count: MAX_QUANTILES },
    horizon: Object.fromEntries(
      FREQUENCIES.map((frequency) => [frequency, Math.min(limits.horizon, maxHorizon(frequency))]),
    ),
    device: 'cpu',
  };

  async function requirePlan(caller: Account | Guest, workspace: string) {
    const found = caller.kind === 'account' ? await readOwnerPlan(database, caller.accountId, workspace) : null;
    if (found === null) throw workspaceDenied();
    return found;
  }
}
