import type { Handlers } from '../call.ts';
import { accessHandlers } from './access.ts';
import { forecastHandlers } from './forecasts.ts';
import { keyHandlers } from './keys.ts';
import { marketDataHandlers } from './market-data.ts';
import { marketSearchHandlers } from './market-search.ts';
import { savingHandlers } from './saving.ts';
import { sessionHandlers } from './sessions.ts';
import { watchingHandlers } from './watching.ts';

export const handlers: Handlers = {
  ...accessHandlers,
  ...keyHandlers,
  ...sessionHandlers,
  ...marketSearchHandlers,
  ...marketDataHandlers,
  ...forecastHandlers,
  ...watchingHandlers,
  ...savingHandlers,
};
