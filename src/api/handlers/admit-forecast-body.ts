import { admitForecastRequest, requireCaller } from '../../forecasts/index.ts';
import type { AdmitLargeBody } from '../edge/read-body.ts';
import { networkOf } from '../limits/network.ts';

/**
 * Refuses a large request for a forecast whose caller has no slot or no credits left, before its rows are parsed. The
 * text is only searched for the name of a field: one with escapes could also name a workspace.
 */
export const admitForecastBody: AdmitLargeBody = async ({ forecasts }, { principal, headers, ip }, body) => {
  if (principal === null) throw new Error('The body was read before the request was admitted.');
  await admitForecastRequest(forecasts, requireCaller(principal), {
    idempotencyKey: headers['idempotency-key']?.toString() ?? null,
    network: networkOf(ip),
    mayNameWorkspace: body.includes('"workspace_id"') || body.includes('\\u'),
  });
};
