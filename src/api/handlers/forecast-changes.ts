import { operations } from '../../contract/index.ts';
import {
  deleteForecast,
  estimateForecast,
  type ForecastRow,
  isPrivateToAnother,
  listForecastActions,
  requireCaller,
  updateForecast,
} from '../../forecasts/index.ts';
import type { Executor } from '../../platform/index.ts';
import type { Handlers } from '../call.ts';
import { networkOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';
import { acceptsAnyVersion, etagOf, namesVersion, Versioned } from '../responses.ts';
import { viewOne } from './forecasts.ts';

export const forecastChangeHandlers = {
  async estimateForecast(call) {
    const { parts, body, signal } = call;
    const network = networkOf(call.address);
    return estimateForecast(parts.forecasts, requireCaller(call.principal), body, { network, signal });
  },

  async listForecastActions({ parts, principal, params }) {
    const { id, isOwn, actions } = await listForecastActions(
      parts.forecasts,
      requireCaller(principal),
      params.forecast_id,
    );
    return { forecast_id: id, is_own: isOwn, actions: [...actions] };
  },

  async updateForecast(call) {
    const { parts, params, body } = call;
    const caller = requireCaller(call.principal);
    const row = await updateForecast(parts.forecasts, caller, params.forecast_id, body, expectVersion(call, caller));
    return new Versioned(await viewOne(parts, row));
  },

  async deleteForecast(call) {
    const { parts, params } = call;
    const caller = requireCaller(call.principal);
    const id = await deleteForecast(parts.forecasts, caller, params.forecast_id, expectVersion(call, caller));
    return { forecast_id: id, removed: true };
  },
} satisfies Partial<Handlers>;

/** Returns the condition of an If-Match header: the ETag that GET would send now. Undefined without the header. */
function expectVersion(
  { parts, ifMatch }: { readonly parts: ApiParts; readonly ifMatch: string | null },
  caller: ReturnType<typeof requireCaller>,
) {
  if (ifMatch === null) return undefined;
  return async (executor: Executor, row: ForecastRow) => {
    if (acceptsAnyVersion(ifMatch)) return true;
    // A caller that cannot read the forecast has no version of it, and must not learn which one it is in.
    if (isPrivateToAnother(caller, row)) return false;
    const view = await viewOne(parts, row, executor);
    return namesVersion(ifMatch, etagOf(operations.readForecast.reply.wrap(view)));
  };
}
