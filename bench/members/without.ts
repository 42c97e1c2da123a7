// Measures what each member model adds to the ensemble, by frequency and length: the change of the scores when it is
// taken out of a pool of all models, on the ends of past series. A positive change means that the model helps.
//
//   npm run -s bench:without -- [--every N] [--data FOLDER] FILE…
//
// FILES are read as bench:published reads them; the actual values are never used. `--every` takes each N-th series.

import { parseArgs } from 'node:util';
import { type ForecastRequest, forecast, MODEL_CATALOG } from '../../src/engine/index.ts';
import { loadModels, toRows } from '../accuracy/models.ts';
import { formatTable } from '../format-table.ts';
import { requestFor } from '../published/entries.ts';
import { readPasts } from '../published/read-sets.ts';
import { type Forecasted, scoreTogether } from '../published/scores.ts';

/** The longest history of each group. */
const LENGTHS = [20, 60, 120, 500, Number.POSITIVE_INFINITY];

const { values: options, positionals: files } = parseArgs({
  options: { every: { type: 'string', default: '1' }, data: { type: 'string', default: './data' } },
  allowPositionals: true,
});
if (files.length === 0) throw new Error('Name at least one file of series.');
const runner = await loadModels(options.data);
const models = MODEL_CATALOG.map(({ id }) => id).filter((id) => runner.models.includes(id));
/** The name of a pool, and the models in it. */
const pools = new Map([['all', models], ...models.map((id) => [id, models.filter((other) => other !== id)] as const)]);

const series = files.flatMap((file) => readPasts(file).sets.flatMap((set) => set.series));
const groups = Map.groupBy(
  series.filter(({ history }, i) => i % Number(options.every) === 0 && history.length >= 3),
  ({ group, history }) => {
    const bound = LENGTHS.findIndex((length) => history.length <= length);
    const length =
      LENGTHS[bound] === Number.POSITIVE_INFINITY ? `over ${LENGTHS[bound - 1]}` : `up to ${LENGTHS[bound]}`;
    return `${group}, ${length} rows`;
  },
);
const table = [['MASE / WQL in percent without', 'series', ...models]];
for (const [name, members] of groups) {
  const scored = new Map<string, Forecasted[]>([...pools.keys()].map((pool) => [pool, []]));
  for (const one of members) {
    // The pools of a series share its fits.
    runner.forget();
    const { request, skipped } = requestFor(one);
    for (const [pool, named] of pools)
      scored.get(pool)?.push({ series: one, rows: await rowsOf(request, named, skipped) });
  }
  const [all, ...without] = [...scored.values()].map(scoreTogether);
  const change = (own: number, base: number): string => (100 * (own / base - 1)).toFixed(2);
  table.push([
    name,
    String(members.length),
    ...without.map(({ mase, wql }) => `${change(mase, all?.mase ?? 0)} / ${change(wql, all?.wql ?? 0)}`),
  ]);
}
console.log(formatTable(table));

async function rowsOf(request: ForecastRequest, named: readonly string[], skipped: number): Promise<Float64Array[]> {
  const { predictions } = await forecast({ ...request, models: named }, { runner });
  return toRows(predictions).slice(skipped);
}
