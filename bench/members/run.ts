// Scores member models and simple averages of them on the ends of past series for which they were made:
//
//   npm run -s bench:members -- [--models a,b,a+b] [--only WORDS] [--data FOLDER] [FILE…]
//
// The series are departures of airports and flights of routes, orders of pizzas, and simulated hours; of FILES, as
// bench:published reads them, it uses the ends of the histories and never the actual values. `a+b` is the average of the
// quantiles of two models. Toto uses the checkpoint in the data folder or, if there is none, the bundled one.

import { parseArgs } from 'node:util';
import { loadModels, threadCpuMs } from '../accuracy/models.ts';
import { formatTable } from '../format-table.ts';
import { forecastEntry } from '../published/entries.ts';
import { readPasts, type WindowSeries } from '../published/read-sets.ts';
import { LEVELS, scoreTogether } from '../published/scores.ts';
import { flightGroups } from './flights.ts';
import { pizzaGroup } from './pizza.ts';
import { simulatedGroup } from './simulated.ts';

const DEFAULT =
  'toto,theta,ets,prophet,seasonal_naive,intermittent,mstl,toto+theta,toto+intermittent,toto+mstl,intermittent+mstl';

type Rows = readonly Float64Array[];

const { values: options, positionals: files } = parseArgs({
  options: {
    models: { type: 'string', default: DEFAULT },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: './data' },
  },
  allowPositionals: true,
});
const entries = options.models.split(',');
const models = [...new Set(entries.flatMap((entry) => entry.split('+')))];
const runner = await loadModels(options.data);
const groups = new Map([...(await flightGroups()), pizzaGroup(), simulatedGroup()]);
for (const { name, series } of files.flatMap((file) => readPasts(file).sets)) groups.set(`${name}, pasts`, [...series]);

const cpu = new Map<string, number>();
let windowCount = 0;
const table = [['WQL', 'windows', 'zeros', ...entries]];
for (const [name, windows] of groups) {
  if (!name.includes(options.only)) continue;
  const forecasts = new Map<string, Rows[]>();
  for (const model of models) forecasts.set(model, await forecastAll(model, windows));
  windowCount += windows.length;
  table.push([
    name,
    String(windows.length),
    `${(100 * shareOfZeros(windows)).toFixed(0)}%`,
    ...entries.map((entry) => {
      const rows = average(entry.split('+').map((model) => forecasts.get(model) ?? []));
      return scoreTogether(windows.map((series, i) => ({ series, rows: rows[i] ?? [] }))).wql.toFixed(4);
    }),
  ]);
}
console.log(formatTable(table));
console.log(
  `\nCPU ms per window, with the detection of the season: ${models
    .map((model) => `${model} ${((cpu.get(model) ?? 0) / windowCount).toFixed(1)}`)
    .join(', ')}`,
);

async function forecastAll(model: string, windows: readonly WindowSeries[]): Promise<Rows[]> {
  const rows: Rows[] = [];
  const before = threadCpuMs();
  for (const series of windows) {
    runner.forget();
    rows.push(await forecastEntry(model, series, runner));
  }
  cpu.set(model, (cpu.get(model) ?? 0) + threadCpuMs() - before);
  return rows;
}

function average(forecasts: readonly (readonly Rows[])[]): Rows[] {
  const [first = []] = forecasts;
  return first.map((rows, i) =>
    rows.map((_, step) =>
      Float64Array.from(LEVELS, (_level, q) => {
        const sum = forecasts.reduce((total, one) => total + (one[i]?.[step]?.[q] as number), 0);
        return sum / forecasts.length;
      }),
    ),
  );
}

function shareOfZeros(windows: readonly WindowSeries[]): number {
  const shares = windows.map(
    ({ history }) => history.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0) / history.length,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
