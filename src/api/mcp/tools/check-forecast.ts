import { z } from 'zod';
import { ForecastReport, readReport } from '../forecast-report.ts';
import { defineTool } from '../tool.ts';
import { forecastId, waitSeconds, wantsPicture } from './fields.ts';
import { readForecast } from './forecast.ts';

/** Reads a forecast and waits for its end. */
export const checkForecast = defineTool({
  name: 'check_forecast',
  title: 'Check a forecast',
  description:
    'Returns a forecast by its id: its status or, once it has completed, its quantiles, audit, weights, picture, proof and what became of it. Call it after forecast until the status is completed or failed.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ forecast_id: forecastId(), wait_seconds: waitSeconds(), picture: wantsPicture() }),
  output: ForecastReport,
  async run({ forecast_id: id, wait_seconds: wait, picture }, { agent, signal }) {
    const first = await readForecast(agent, id);
    const hasEnded = first.status === 'completed' || first.status === 'failed';
    if (hasEnded || wait === 0) return readReport(agent, first, { picture });
    await agent.waitForEnd(first.forecast_id, 1_000 * wait, signal);
    return readReport(agent, await readForecast(agent, first.forecast_id), { picture });
  },
});
