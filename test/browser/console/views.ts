import { accountViews } from './account.ts';
import { adminViews } from './admin.ts';
import { componentViews } from './components.ts';
import { eraseViews } from './erase.ts';
import { errorViews } from './errors.ts';
import { filesViews } from './files.ts';
import { forecastViews } from './forecast.ts';
import { forecastsViews } from './forecasts.ts';
import { frameViews } from './frame.ts';
import { keepViews } from './keep.ts';
import { newViews } from './new.ts';
import { questionsViews } from './questions.ts';
import { screenerViews } from './screener.ts';
import { searchViews } from './search.ts';
import { seriesViews } from './series.ts';
import { startViews } from './start.ts';
import type { ConsoleView } from './view.ts';
import { webhooksViews } from './webhooks.ts';
import { workspacesViews } from './workspaces.ts';

/** Every state of every console page. */
export const consoleViews: readonly ConsoleView[] = [
  ...componentViews,
  ...errorViews,
  ...frameViews,
  ...startViews,
  ...searchViews,
  ...seriesViews,
  ...newViews,
  ...forecastViews,
  ...keepViews,
  ...forecastsViews,
  ...workspacesViews,
  ...adminViews,
  ...eraseViews,
  ...screenerViews,
  ...filesViews,
  ...accountViews,
  ...webhooksViews,
  ...questionsViews,
];
