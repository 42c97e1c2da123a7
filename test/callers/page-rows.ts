import { sql } from 'kysely';
import type { OperationId } from '../../src/contract/index.ts';
import { moveToFuture } from '../support/scout/events.ts';
import { ACCOUNT_PAGE_ROWS } from './account-page-rows.ts';
import { HIDDEN, type PageCell, type PageRow, prepare, SERIES } from './page-row.ts';
import { WORKSPACE_PAGE_ROWS } from './workspace-page-rows.ts';

/** A page about the forecast of a scene. */
const ofForecast = (path: string, operation: OperationId, more: Partial<PageRow> = {}): PageRow => ({
  path: `/forecasts/:slug${path}`,
  address: ({ scene }) => `/forecasts/${scene.forecast.slug}${path}`,
  operation,
  isOfWorkspace: true,
  ...more,
});

/** A page about the question of a scene. */
const ofQuestion = (path: string, operation: OperationId, more: Partial<PageRow> = {}): PageRow => ({
  path: `/questions/:slug${path}`,
  address: async (cell) => {
    await prepare(cell, operation);
    return `/questions/${cell.scene.event.slug}${path}`;
  },
  operation,
  isOfWorkspace: true,
  ...more,
});

async function markQueued({ identity, scene }: PageCell): Promise<string> {
  await sql`UPDATE forecast SET status = 'queued', result = NULL WHERE id = ${scene.forecast.id}`.execute(
    identity.database.query(),
  );
  return `/forecasts/${scene.forecast.slug}`;
}

/** Every page as every caller. A page that has no row fails the test. Several rows can open states of one page. */
export const PAGE_ROWS: readonly PageRow[] = [
  { path: '/' },
  { path: '/glossary' },
  { path: '/search' },
  { path: '/search', name: 'results of a search', address: () => '/search?q=apple&local=1' },
  { path: '/series' },
  { path: '/series', name: 'a series', address: () => `/series?${SERIES}` },
  { path: '/series.csv', address: () => `/series.csv?${SERIES}` },
  { path: '/new' },
  { path: '/new', name: 'the form of a forecast', address: () => `/new?${SERIES}` },
  // They come early: an export checks that stored forecasts are as they were, and later rows move forecasts in time.
  ...ACCOUNT_PAGE_ROWS,
  { path: '/forecasts', operation: 'listForecasts' },
  {
    path: '/forecasts',
    name: 'the track record',
    address: () => '/forecasts?view=record',
    operation: 'readTrackRecord',
  },
  {
    path: '/forecasts',
    name: 'the forecasts of a workspace',
    address: ({ scene }) => `/forecasts?workspace_id=${scene.workspace.id}`,
    operation: 'listWorkspaceForecasts',
    isOfWorkspace: true,
  },
  ofForecast('', 'readForecast', { statuses: HIDDEN }),
  ofForecast('', 'readForecast', {
    name: 'a forecast that is queued',
    address: markQueued,
    statuses: HIDDEN,
    changesScene: true,
  }),
  ofForecast('/cancel', 'cancelForecast', {
    address: async (cell) => `${await markQueued(cell)}/cancel`,
    changesScene: true,
  }),
  ofForecast('/delete', 'deleteForecast'),
  ofForecast('/outcome', 'updateForecast'),
  // It leads to the page that explains whether and how the forecast can be saved.
  {
    path: '/forecasts/:slug/prepare-save',
    address: ({ scene }) => `/forecasts/${scene.forecast.slug}/prepare-save`,
    isOfWorkspace: true,
  },
  // Every reader can list the questions, and ask one that only the reader sees.
  ofForecast('/questions', 'readForecast', {
    address: async ({ identity, scene }) => {
      await moveToFuture(identity.database, scene.forecast.id);
      return `/forecasts/${scene.forecast.slug}/questions`;
    },
  }),
  ofForecast('/rename', 'updateForecast'),
  ofForecast('/replays', 'readForecast', { statuses: HIDDEN }),
  ofForecast('/reproduce', 'reproduceForecast'),
  // It explains why a forecast cannot be saved, and reading it decides what the page may state.
  ofForecast('/save', 'readForecast'),
  ofForecast('/visibility', 'updateForecast'),
  { path: '/questions', operation: 'listEvents' },
  {
    path: '/questions',
    name: 'the questions of a workspace',
    address: ({ scene }) => `/questions?workspace_id=${scene.workspace.id}`,
    operation: 'listEvents',
    isOfWorkspace: true,
  },
  { path: '/questions/new', operation: 'createEvent' },
  {
    path: '/questions/new',
    name: 'a question with a rule',
    address: () => `/questions/new?${SERIES}`,
    operation: 'createEvent',
  },
  ofQuestion('', 'readEvent', { statuses: HIDDEN }),
  ofQuestion('', 'readEventResolution', { name: 'a question with an outcome', statuses: HIDDEN, changesScene: true }),
  ofQuestion('/revise', 'reviseEvent'),
  ofQuestion('/resolve', 'resolveEvent'),
  ofQuestion('/annul', 'resolveEvent'),
  { path: '/scoreboard', operation: 'readScoreboard' },
  {
    path: '/scoreboard',
    name: 'the scoreboard of a workspace',
    address: ({ scene }) => `/scoreboard?workspace_id=${scene.workspace.id}`,
    operation: 'readScoreboard',
    isOfWorkspace: true,
  },
  ...WORKSPACE_PAGE_ROWS,
];
