// Measures accuracy on files of real series and compares it with published results:
//
//   npm run -s bench:accuracy -- [--json] [--models a,b] [--data FOLDER] FILE…
//
// `auto` is the ensemble with weights chosen from the past, and `equal` is the plain mean of its member models'
// quantiles. Both are also measured without toto. Fits that several ensembles share run once, and their time counts for
// the first one. Toto uses the checkpoint in the data folder or, if there is none, the bundled one.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { evaluate } from './evaluate.ts';
import { readPeers } from './peers.ts';
import { parseSeriesFile } from './series-file.ts';
import { formatTables } from './table.ts';

const EVERYTHING = 'auto,equal,auto_without_toto,equal_without_toto,prophet,toto,ets,theta,arima,seasonal_naive';

const { values: options, positionals: files } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    models: { type: 'string', default: EVERYTHING },
    data: { type: 'string', default: './data' },
  },
  allowPositionals: true,
});
if (files.length === 0) {
  console.error('Usage: npm run -s bench:accuracy -- [--json] [--models a,b] FILE…');
  process.exit(2);
}

const series = files.flatMap((file) => parseSeriesFile(readFileSync(file, 'utf8')));
const { scores, failures } = await evaluate(series, options.models.split(','), options.data);
for (const { id, model, failure } of failures) console.error(`${model} has no forecast for ${id}: ${failure}`);
if (options.json) {
  console.log(JSON.stringify(scores));
} else {
  // Peers were scored on one file, so with several files the columns would compare different series.
  const peers = files.length === 1 ? readPeers(files[0] as string) : [];
  console.log(formatTables(scores, peers));
}
