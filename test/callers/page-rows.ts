import { sql } from 'kysely';
import type { OperationId } from '../../src/contract/index.ts';
import type { IdentityContext } from '../../src/identity/index.ts';
import { moveToFuture } from '../support/scout/events.ts';
import type { Caller } from './callers.ts';
import type { PageCaller } from './page-callers.ts';
import type { Scene } from './world.ts';

/** One page of the console, opened as every caller. */
export interface PageRow {
  /** The route, as the service registers it. */
  readonly path: string;
  /** What the row opens, if several open the same route. */
  readonly name?: string;
  /** Returns the address, after preparing what the page needs. Default: the path with the names of the scene. */
  readonly address?: (cell: PageCell) => string | Promise<string>;
  /** The operation whose answers decide what visitors get. Without one, every visitor gets the page. */
  readonly operation?: OperationId;
  /** Whether the page is about the workspace, the file, the forecast or the question of a scene. */
  readonly isOfWorkspace?: true;
  /** Whether the preparation leaves the scene in a state that other rows do not expect. */
  readonly changesScene?: true;
  /** The statuses of visitors for which the page differs from its operation. */
  readonly statuses?: Partial<Record<PageCaller, number>>;
}

export interface PageCell {
  readonly identity: IdentityContext;
  readonly caller: Caller;
  readonly scene: Scene;
}

const SERIES = 'source=economic_series&provider=bundled&series_id=us-employment-nonfarm';

/** Without a session, the address of a forecast that is not public is that of nothing. */
const HIDDEN = { 'no credential': 404 } as const;

/** A page about the forecast of a scene. */
const ofForecast = (path: string, operation: OperationId, more: Partial<PageRow> = {}): PageRow => ({
  path: `/forecasts/:slug${path}`,
  address: ({ scene }) => `/forecasts/${scene.forecast.slug}${path}`,
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
  { path: '/auth/account', operation: 'listSessions' },
];
