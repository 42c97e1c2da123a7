import type { FastifyInstance } from 'fastify';
import type { ApiParts } from '../../parts.ts';
import { registerAssets } from '../assets.ts';
import { ACCOUNT_PAGES } from './account/index.ts';
import { ACTION_PAGES } from './actions/index.ts';
import { ADMIN_PAGES } from './admin/index.ts';
import { ERASE_PAGES } from './erase/index.ts';
import { FILE_PAGES } from './files/index.ts';
import { forecastsPage } from './forecasts/forecasts-page.ts';
import { glossaryPage } from './glossary-page.ts';
import { hintsPage } from './hints.ts';
import { newPage } from './new/new-page.ts';
import { QUESTION_PAGES } from './questions/index.ts';
import { replayPage } from './replay/replay-page.ts';
import { SCREENER_PAGES } from './screener/index.ts';
import { searchPage } from './search/search-page.ts';
import { seriesCsv } from './series/series-csv.ts';
import { seriesPage } from './series/series-page.ts';
import { serveConsole } from './serve-console.ts';
import { startPage } from './start-page.ts';
import type { ConsoleRoute } from './visit.ts';
import { WEBHOOK_PAGES } from './webhooks/index.ts';
import { WORKSPACE_PAGES } from './workspaces/index.ts';

const PAGES: readonly ConsoleRoute[] = [
  startPage,
  searchPage,
  seriesPage,
  seriesCsv,
  newPage,
  replayPage,
  forecastsPage,
  ...ACTION_PAGES,
  ...ERASE_PAGES,
  ...WORKSPACE_PAGES,
  ...SCREENER_PAGES,
  ...ADMIN_PAGES,
  ...ACCOUNT_PAGES,
  ...WEBHOOK_PAGES,
  ...QUESTION_PAGES,
  ...FILE_PAGES,
  glossaryPage,
  hintsPage,
];

/** Registers the pages for people: search, series and forecasts. They work without JavaScript. */
export async function registerConsole(app: FastifyInstance, parts: ApiParts): Promise<void> {
  registerAssets(app);
  await serveConsole(app, parts, PAGES);
}
