import { componentViews } from './components.ts';
import { errorViews } from './errors.ts';
import { forecastsViews } from './forecasts.ts';
import { searchViews } from './search.ts';
import { seriesViews } from './series.ts';
import { forecastViews } from './forecast.ts';
import { keepViews } from './keep.ts';
import { newViews } from './new.ts';
import { startViews } from './start.ts';
import type { ConsoleView } from './view.ts';

/** Every state of every console page. */
export const consoleViews: readonly ConsoleView[] = [
  ...componentViews,
  ...errorViews,
  ...startViews,
  ...searchViews,
  ...seriesViews,
  ...forecastsViews,
];
export const consoleViews: readonly ConsoleView[] = [...componentViews, ...errorViews, ...forecastViews, ...startViews];
export const consoleViews: readonly ConsoleView[] = [...componentViews, ...errorViews, ...startViews, ...keepViews];
export const consoleViews: readonly ConsoleView[] = [...componentViews, ...errorViews, ...startViews, ...newViews];
