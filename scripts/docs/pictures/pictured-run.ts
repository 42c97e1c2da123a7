import { readCsv } from '../../../bench/seasonality/dated-rows.ts';
import { futureTimestamps } from '../../../src/calendar/index.ts';
import { checkRequest } from '../../../src/engine/ensemble/check-request.ts';
import { type Decision, decideWeights } from '../../../src/engine/ensemble/decide-weights.ts';
import { type MemberModel, rowsOf, runMemberModels } from '../../../src/engine/ensemble/members.ts';
import { type ForecastPlan, type PastWindow, planForecast } from '../../../src/engine/ensemble/plan.ts';
import { poolRows } from '../../../src/engine/ensemble/pool.ts';
import {
  createInlineRunner,
  createModels,
  DEFAULT_QUANTILES,
  type ForecastRequest,
} from '../../../src/engine/index.ts';
import type { QuantileRows } from '../../../src/engine/runner.ts';
import { startingCalibration } from '../../../src/engine/weighting/spread-calibration.ts';

/**
 * A forecast, with values that are not part of its result: the pooled quantiles of the audit window, with and without
 * calibration.
 */
export interface PicturedRun {
  readonly plan: ForecastPlan;
  readonly decision: Decision;
  readonly members: readonly MemberModel[];
  readonly audit: PastWindow & { readonly uncalibrated: QuantileRows; readonly calibrated: QuantileRows };
  readonly future: { readonly times: Float64Array; readonly rows: QuantileRows };
}

/** The quantile levels of every row. */
export const LEVELS = DEFAULT_QUANTILES;
export const HORIZON = 24;
/** Fifteen years, which are enough for all windows and fast to fit. */
const ROWS = 180;

/** Returns the request: monthly CO2 at Mauna Loa, without `prophet`, which would take the longest. */
export function picturedRequest(): ForecastRequest {
  const rows = readCsv('vega-datasets/data/co2-concentration.csv').slice(-ROWS);
  return {
    cadence: { frequency: '1MS', kind: 'plain' },
    timestamps: rows.map(({ Date: date }) => Date.parse(`${date}T00:00:00Z`)),
    values: rows.map(({ CO2 }) => Number(CO2)),
    horizon: HORIZON,
    models: ['ets', 'theta', 'arima'],
  };
}

export async function picturedRun(): Promise<PicturedRun> {
  const request = picturedRequest();
  const runner = createInlineRunner(createModels({}));
  const checked = checkRequest(request, runner.models);
  const plan = planForecast(checked, request.timestamps, request.values);
  const members = await runMemberModels(checked, plan, LEVELS, { runner });
  const decision = decideWeights(checked, plan, LEVELS, members);
  const pool = (part: 'validation' | 'final', calibration: Decision['calibration']): QuantileRows => {
    const rows = decision.members.map((member) => rowsOf(member[part]));
    const origin = (part === 'validation' ? plan.validation : plan.series.values)?.length ?? 0;
    return poolRows(rows, decision, LEVELS, plan.spaces.atOrigin(origin), calibration);
  };
  if (plan.validation === null || decision.status !== 'optimized') throw new Error('The pictured run has no audit.');
  return {
    plan,
    decision,
    members,
    audit: {
      ...plan.validation,
      uncalibrated: pool('validation', startingCalibration(1)),
      calibrated: pool('validation', decision.calibration),
    },
    future: {
      times: futureTimestamps(checked.cadence, plan.series.times.at(-1) as number, HORIZON),
      rows: pool('final', decision.calibration),
    },
  };
}
