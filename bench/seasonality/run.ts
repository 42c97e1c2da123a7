// Measures how often detectSeason finds the right season:
//
//   npm run -s bench:seasonality -- [--repeats N] [FILE…]      (files as for bench:accuracy)

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { detectSeason } from '../../src/engine/index.ts';
import { parseSeriesFile } from '../accuracy/series-file.ts';
import { formatTable } from '../format-table.ts';
import { bundledGroups } from './bundled-series.ts';
import { formatFileTable } from './file-rates.ts';
import { formatFalseAlarmTable, formatHitTable } from './generated-rates.ts';
import { formatRate, rateOf } from './rate.ts';

const { values: options, positionals: files } = parseArgs({
  options: { repeats: { type: 'string', default: '100' } },
  allowPositionals: true,
});
const repeats = Number(options.repeats);

console.log(`Generated series with a season: found\n\n${formatHitTable(repeats)}\n`);
console.log(`Generated series without a season: false alarms\n\n${formatFalseAlarmTable(repeats)}\n`);

const groups = bundledGroups().map(({ name, candidates, expected, series }) => [
  name,
  expected === 1 ? 'none' : String(expected),
  formatRate(rateOf(series.map((values) => detectSeason(values, candidates) === expected))),
]);
console.log(`Bundled real series: right\n\n${formatTable([['series', 'season', 'right'], ...groups])}`);

for (const file of files) console.log(`\n${file}\n\n${formatFileTable(parseSeriesFile(readFileSync(file, 'utf8')))}`);
