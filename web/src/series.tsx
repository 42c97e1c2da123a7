// The script of the page of a series.

import { readPageData } from './page-data.ts';
import { LiveSeries } from './series/live-series.tsx';
import type { SeriesData } from './series/page.ts';

const data = readPageData<SeriesData>('series-data');
const live = document.getElementById('chart-live');
const still = document.getElementById('chart-still');
const words = document.getElementById('chart-words');
const tools = document.querySelector<HTMLElement>('.chart-tools');
if (data && live && still && words && tools) void new LiveSeries(data, { live, still, words, tools }).start();
