// Makes the list of forecasts and the track record interactive: filters apply as they change, and rows of running
// forecasts follow their progress. The server renders everything; this script only exchanges parts of the page.

import { watchFilters } from './forecasts/filters.ts';
import { followRunning } from './forecasts/follow-running.ts';
import { addPlotCursors } from './forecasts/plot-cursor.ts';

const results = document.getElementById('results');
if (results !== null) {
  const follow = followRunning(results);
  addPlotCursors(results);
  watchFilters(results, () => {
    follow.restart();
    addPlotCursors(results);
  });
}
