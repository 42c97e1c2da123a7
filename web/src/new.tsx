// The script of the form of a new forecast and of the page of replays.

import { readCharts } from './new/chart-values.ts';
import { followCost } from './new/follow-cost.ts';
import { submitOnce } from './new/submit-once.ts';
import { watchRunning } from './new/watch-running.ts';

for (const form of document.querySelectorAll<HTMLFormElement>('form')) submitOnce(form);
const form = document.querySelector<HTMLFormElement>('form[data-new]');
if (form) followCost(form);
readCharts(document);
watchRunning(document);
