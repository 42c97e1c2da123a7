// Makes the pages of questions interactive: filters apply as they change, charts can be read with the keyboard, and a
// threshold is picked on the fan. The server renders everything; this script exchanges parts of the page.

import { watchFilters } from './forecasts/filters.ts';
import { addPlotCursors } from './forecasts/plot-cursor.ts';
import { submitOnce } from './new/submit-once.ts';
import { pickThresholds } from './questions/pick-threshold.ts';
import { readProbabilities } from './questions/read-probabilities.ts';

const results = document.getElementById('results');
if (results !== null) {
  addPlotCursors(results);
  watchFilters(results, () => addPlotCursors(results));
}
for (const form of document.querySelectorAll<HTMLFormElement>('form')) submitOnce(form);
readProbabilities(document);
pickThresholds(document);
