// Measures how often the 80% interval of the auto ensemble contains the actual value, in forecasts of 90 steps from
// origins spread over real and generated series. The folds score only the first 30 steps.
//
//   npm run -s bench:coverage -- [--rows N] [--horizon N]

import { parseArgs } from 'node:util';
import { startEngine } from '../../src/compute/index.ts';
import type { ForecastRequest } from '../../src/engine/index.ts';
import { type LongSeries, longSeries } from './long-series.ts';

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '500' }, horizon: { type: 'string', default: '90' } },
});
const rows = Number(options.rows);
const horizon = Number(options.horizon);
/** The calibration horizon, up to which folds score the weights and the spread. */
const NEAR = 30;

const MODELS = ['prophet', 'ets', 'theta', 'arima'];

interface Past {
  readonly request: Pick<ForecastRequest, 'cadence' | 'timestamps' | 'values'>;
  readonly actuals: readonly number[];
}

interface Count {
  held: number;
  steps: number;
}

const engine = await startEngine({ threads: 2 });
console.log(`share of actual values within the 80% interval, ${rows} rows before each origin, ${horizon} steps`);
console.log(`${'series'.padEnd(38)} origins  steps 1-${NEAR}  steps ${NEAR + 1}-${horizon}`);
const totals = { origins: 0, near: none(), far: none() };
for (const series of longSeries()) {
  const near = none();
  const far = none();
  const pasts = pastsOf(series);
  // Two at a time, so that one is pooled while the other is fitted.
  for (let i = 0; i < pasts.length; i += 2) {
    await Promise.all(pasts.slice(i, i + 2).map((past) => count(past, near, far)));
  }
  printLine(series.name, pasts.length, near, far);
  totals.origins += pasts.length;
  add(totals.near, near);
  add(totals.far, far);
}
printLine('all', totals.origins, totals.near, totals.far);
await engine.close();

/** Returns origins with enough rows before and after them, whose forecast periods do not overlap. */
function pastsOf({ cadence, series }: LongSeries): Past[] {
  return series.flatMap(({ timestamps, values }) =>
    Array.from({ length: Math.max(0, Math.floor((values.length - rows) / horizon)) }, (_, i) => {
      const origin = rows + i * horizon;
      return {
        request: {
          cadence,
          timestamps: timestamps.slice(origin - rows, origin),
          values: values.slice(origin - rows, origin),
        },
        actuals: values.slice(origin, origin + horizon),
      };
    }),
  );
}

async function count({ request, actuals }: Past, near: Count, far: Count): Promise<void> {
  const { predictions } = await engine.forecast({ ...request, horizon, quantiles: [0.1, 0.5, 0.9], models: MODELS });
  predictions.forEach(({ quantiles }, step) => {
    const actual = actuals[step] as number;
    const counted = step < NEAR ? near : far;
    counted.steps++;
    if (actual >= (quantiles['0.1'] as number) && actual <= (quantiles['0.9'] as number)) counted.held++;
  });
}

function none(): Count {
  return { held: 0, steps: 0 };
}

function add(total: Count, { held, steps }: Count): void {
  total.held += held;
  total.steps += steps;
}

function printLine(name: string, origins: number, near: Count, far: Count): void {
  console.log(`${name.padEnd(38)} ${String(origins).padStart(7)} ${share(near)} ${share(far)}`);
}

function share({ held, steps }: Count): string {
  return (steps === 0 ? 'none' : `${((100 * held) / steps).toFixed(1)}%`).padStart(12);
}
