import { z } from 'zod';
import type { AgentCaller } from '../agent-caller.ts';
import { readCsvRows } from '../csv-rows.ts';
import { oneInputRequired } from '../faults.ts';
import { ForecastReport, readReport } from '../forecast-report.ts';
import { readHandle } from '../series-handle.ts';
import { defineTool, FaultAfterCreation, FollowedForecast } from '../tool.ts';
import { seriesHandle, waitSeconds, wantsPicture } from './fields.ts';
import { repeatKey } from './repeat-key.ts';

/** About 3,000 rows. Longer series belong into a file of a workspace or come from a provider. */
const MAX_CSV = 64 * 1024;

/** Creates a forecast and waits for it. */
export const forecast = defineTool({
  name: 'forecast',
  title: 'Make a forecast',
  description:
    'Forecasts a series with an ensemble of models that is tested on the past of the series. Give either `series`, the handle of look_at_series, or `csv`, a few rows of your own. It returns quantiles for each step, a picture, and an audit: one sentence on how far the forecast can be trusted. If it takes longer than `wait_seconds`, it returns the id: call check_forecast. Only the account sees the forecast. It costs credits: see my_limits.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    series: seriesHandle().optional(),
    csv: z
      .string()
      .min(1)
      .max(MAX_CSV)
      .optional()
      .describe(
        'Rows as text, such as "2024-01-01,10.5" on each line: a timestamp (ISO 8601), a comma, a number; at least three of them. The first line can be a heading.',
      ),
    horizon: z
      .int()
      .min(1)
      .max(365)
      .describe(
        'How many periods ahead: 12 is a year of monthly rows. my_limits has the largest horizon by frequency.',
      ),
    frequency: z
      .string()
      .max(10)
      .optional()
      .describe('Of `csv` only, such as 1D, 1W-MON or 1ME: see my_limits. Default: found from the rows.'),
    quantiles: z
      .array(z.number().min(0.001).max(0.999))
      .min(1)
      .max(21)
      .optional()
      .describe('Default: 0.1, 0.25, 0.5, 0.75, 0.9.'),
    mode: z
      .enum(['full', 'fast'])
      .optional()
      .describe(
        'Default: full, which tests the models on the past of the series and adjusts their weights and the width of the intervals to it. fast skips these tests and uses weights and a width that suit most series: it is sooner done and costs fewer credits, for a first look or for many series. Not together with `models`.',
      ),
    models: z
      .array(z.string().min(1).max(40))
      .min(1)
      .max(20)
      .optional()
      .describe(
        'Ids of models of my_limits. Default: those that help on series of this frequency, which is usually best.',
      ),
    cutoff: z
      .string()
      .max(40)
      .optional()
      .describe(
        'An instant such as 2024-01-31T00:00:00Z. No later row is read: the forecast is made as if it were then.',
      ),
    title: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('A name for the lists of the account. Default: made from the series.'),
    wait_seconds: waitSeconds(),
    picture: wantsPicture(),
    request_key: z
      .string()
      .regex(/^[!-~]{1,100}$/, { error: 'must be 1 to 100 visible ASCII characters' })
      .optional()
      .describe(
        'Calls with the same key are one call and return the same forecast. Default: equal calls within the same ten minutes have the same key. Use a new key to make a forecast again.',
      ),
  }),
  output: ForecastReport,
  argumentNames: ({ csv }) => ({
    source: csv === undefined ? 'series' : 'csv',
    'Idempotency-Key': 'request_key',
  }),
  async run({ wait_seconds: wait, picture, request_key: key, ...request }, { agent, signal, canFollowTasks }) {
    const startedAt = performance.now();
    // Otherwise the forecast would cost credits, and its result could not be read.
    agent.requireAllowed('readForecast');
    const body = toRequest(request);
    const idempotencyKey = `mcp:${key ?? repeatKey(body, agent.now)}`;
    const { forecast_id } = await agent.call('createForecast', { body, idempotencyKey });
    if (canFollowTasks) return new FollowedForecast(forecast_id);
    try {
      await agent.waitForEnd(forecast_id, 1_000 * wait - (performance.now() - startedAt), signal);
      return await readReport(agent, await readForecast(agent, forecast_id), { picture });
    } catch (error) {
      throw new FaultAfterCreation(forecast_id, error);
    }
  },
});

export function readForecast(agent: AgentCaller, id: string) {
  return agent.call('readForecast', { params: { forecast_id: id } });
}

interface ForecastArguments {
  readonly series?: string | undefined;
  readonly csv?: string | undefined;
}

/** Returns the request to create the forecast. Its visibility is the default, private. */
function toRequest({ series, csv, ...settings }: ForecastArguments): object {
  if ((series === undefined) === (csv === undefined)) throw oneInputRequired();
  const source = series === undefined ? { type: 'inline', ...readCsvRows(csv ?? '') } : readHandle(series);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { source, ...Object.fromEntries(given) };
}
