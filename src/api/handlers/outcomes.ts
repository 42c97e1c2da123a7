import { findOutcome, formatOutcomeCsv, reportOutcome, requireCaller, viewOutcome } from '../../forecasts/index.ts';
import { exportFileName } from '../../snapshots/index.ts';
import type { Handlers } from '../call.ts';
import { RenderedBody } from '../responses.ts';

export const outcomeHandlers = {
  async readOutcome({ parts, principal, params, query }) {
    const found = await findOutcome(parts.forecasts, requireCaller(principal), params.forecast_id);
    if (query.format === 'json') return viewOutcome(found);
    return RenderedBody.file(formatOutcomeCsv(found), exportFileName([found.forecast.slug, 'outcome'], 'csv'));
  },

  async recordOutcome({ parts, principal, params, body }) {
    const caller = requireCaller(principal);
    return viewOutcome(await reportOutcome(parts.forecasts, caller, params.forecast_id, body.points));
  },
} satisfies Partial<Handlers>;
