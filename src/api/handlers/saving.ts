import { knownCaller, PROOF_LIFETIME_MS, prepareSave, saveForecast } from '../../forecasts/index.ts';
import { accountOf, type Handlers } from '../call.ts';

export const savingHandlers = {
  async prepareSaveForecast({ parts, principal, params, cookies }) {
    const { forecastId, secret } = await prepareSave(parts.jobs, knownCaller(principal), params.forecast_id);
    cookies.set('save', secret, PROOF_LIFETIME_MS / 1000);
    return { forecast_id: forecastId, ready_to_sign_in: true };
  },

  async saveForecast(call) {
    const { parts, params, cookies } = call;
    const saved = await saveForecast(parts.jobs, accountOf(call), params.forecast_id, cookies.get('save'));
    if (saved.proofSpent) cookies.clear('save');
    return { forecast_id: saved.forecastId, saved: true };
  },
} satisfies Partial<Handlers>;
