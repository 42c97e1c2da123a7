import type { Handlers } from '../call.ts';
import { accessHandlers } from './access.ts';
import { accountHandlers } from './account.ts';
import { csvFileHandlers } from './csv-files.ts';
import { forecastHandlers } from './forecasts.ts';
import { keyHandlers } from './keys.ts';
import { marketDataHandlers } from './market-data.ts';
import { marketSearchHandlers } from './market-search.ts';
import { savingHandlers } from './saving.ts';
import { scoutHandlers } from './scout.ts';
import { screenerHandlers } from './screener.ts';
import { sessionHandlers } from './sessions.ts';
import { watchingHandlers } from './watching.ts';
import { workspaceHandlers } from './workspaces.ts';

export const handlers: Handlers = {
  ...accessHandlers,
  ...accountHandlers,
  ...keyHandlers,
  ...sessionHandlers,
  ...marketSearchHandlers,
  ...marketDataHandlers,
  ...forecastHandlers,
  ...watchingHandlers,
  ...savingHandlers,
  ...scoutHandlers,
  ...csvFileHandlers,
  ...workspaceHandlers,
  ...screenerHandlers,
};
