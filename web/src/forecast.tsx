// The script of the page of a forecast: its progress while it runs, then its chart.

import { showFan } from './forecast/fan.tsx';
import type { FanData } from './forecast/fan-data.ts';
import { type Watched, watchProgress } from './forecast/watch.ts';
import { readPageData } from './page-data.ts';

const watched = readPageData<Watched>('watch');
if (watched !== null) watchProgress(watched);

const fan = readPageData<FanData>('fan');
const figure = document.querySelector<HTMLElement>('[data-fan]');
if (fan !== null && figure !== null) showFan(figure, fan);
