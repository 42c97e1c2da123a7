import { operations } from '../../src/contract/index.ts';
import { SESSIONS } from './scene/filters.ts';
import { ANYONE, type Headers, pathOf, type ReadOperation, type Scene } from './scene/scene.ts';

/** A request whose response is recorded. */
export interface Read {
  readonly caller: string;
  readonly path: string;
}

type AddRead = (caller: string, id: ReadOperation, params?: Headers, query?: Headers) => void;

/** Operations whose responses describe the running service and not what is stored, or are archives. */
const LEFT_OUT: readonly ReadOperation[] = ['exportAccount', 'readServiceState', 'checkLedger', 'listMarketProviders'];

/**
 * Lists the requests that a later build must answer as this one does: they read everything that the scene stored, as
 * callers that may and that may not. Throws if an operation that reads is missing.
 */
export function listReads(scene: Scene): Read[] {
  const reads: Read[] = [];
  const listed = new Set(LEFT_OUT);
  const add: AddRead = (caller, id, params, query) => {
    listed.add(id);
    reads.push({ caller, path: pathOf(id, params, query) });
  };
  for (const list of [listForecastReads, listEventReads, listWorkspaceReads, listNoticeReads, listAccountReads])
    list(scene, add);
  const missing = Object.entries(operations)
    .filter(([id, { method }]) => method === 'GET' && !listed.has(id as ReadOperation))
    .map(([id]) => id);
  if (missing.length > 0) throw new Error(`scripts/release/list-reads.ts does not list ${missing.join(', ')}.`);
  return reads;
}

function listForecastReads({ forecasts }: Scene, add: AddRead): void {
  for (const { id: forecast_id, caller } of forecasts.values()) {
    const one = { forecast_id };
    add(caller, 'readForecast', one);
    add(caller, 'watchForecast', one);
    add(caller, 'readForecastProof', one);
    add(caller, 'readForecastHistory', one);
    add(caller, 'exportForecast', one, { format: 'csv' });
    add(caller, 'readOutcome', one);
    add(caller, 'readOutcome', one, { format: 'csv' });
    add(caller, 'listForecastActions', one);
  }
  for (const name of ['completed', 'from_file', 'fast'])
    add('hugo', 'readForecast', { forecast_id: forecasts.get(name)?.id ?? '' });
  add(ANYONE, 'readForecastProof', { forecast_id: forecasts.get('completed')?.id ?? '' });
  const ids = [...forecasts.values()].map(({ id }) => id).join();
  for (const caller of ['ada', 'grace', 'guest']) {
    add(caller, 'listForecasts', {}, { limit: '100' });
    add(caller, 'previewForecasts', {}, { ids });
  }
  add('ada', 'listForecasts', {}, { status: 'failed' });
  add('ada', 'listForecasts', {}, { q: 'visits', sort: 'name', order: 'asc', model: 'theta' });
  add('ada', 'readTrackRecord');
  add('ada', 'readTrackRecord', {}, { format: 'csv' });
  add('ada', 'listModels');
}

function listEventReads(scene: Scene, add: AddRead): void {
  for (const [name, revisions] of Object.entries({
    revised: 3,
    resolved: 1,
    annulled: 1,
    with_rule: 1,
    of_workspace: 1,
  })) {
    const one = { forecast_id: scene.id(`event:${name}`) };
    add('ada', 'readEvent', one);
    add('ada', 'listEventActions', one);
    add('ada', 'readEventResolution', one);
    add('ada', 'listEventRevisions', one);
    add('ada', 'readEventHistory', one);
    for (let revision = 1; revision <= revisions; revision++)
      add('ada', 'readEventProof', one, { revision: String(revision) });
  }
  add('grace', 'readEvent', { forecast_id: 'acme-beats-q3' });
  for (const caller of ['ada', 'grace']) add(caller, 'listEvents', {}, { limit: '100' });
  add('ada', 'listEvents', {}, { source_forecast_id: scene.forecasts.get('with_outcome')?.id ?? '', sort: 'deadline' });
  add('ada', 'readScoreboard');
  add('ada', 'readScoreboard', {}, { format: 'csv', rows: 'questions' });
}

function listWorkspaceReads(scene: Scene, add: AddRead): void {
  const workspace = { workspace_id: scene.id('workspace') };
  for (const caller of ['ada', 'grace', 'hugo', 'guest']) {
    add(caller, 'readWorkspace', workspace);
    add(caller, 'listCollaborators', workspace);
    add(caller, 'listWorkspaceForecasts', workspace);
    add(caller, 'listCsvFiles', workspace);
    for (const csv_id of scene.files()) add(caller, 'readCsvFile', { ...workspace, csv_id }, { limit: '3' });
  }
  add('ada', 'listWorkspaces');
  add('ada', 'readWorkspaceContents', workspace);
  add('ada', 'readTransfer', workspace);
  for (const csv_id of scene.files()) add('ada', 'downloadCsvFile', { ...workspace, csv_id });
  const file = { ...workspace, csv_id: scene.id('file') };
  add('hugo', 'readCsvSeries', file, { time_field: 'date', value_field: 'visits' });
}

/** The webhooks, feeds, filters and emails. */
function listNoticeReads(scene: Scene, add: AddRead): void {
  add('ada', 'listWebhooks');
  for (const name of ['account', 'gone']) {
    const one = { webhook_id: scene.id(`webhook:${name}`) };
    add('ada', 'readWebhook', one);
    add('ada', 'listWebhookDeliveries', one, { limit: '100' });
  }
  const workspace = { workspace_id: scene.id('workspace') };
  const one = { ...workspace, webhook_id: scene.id('webhook:workspace') };
  add('ada', 'listWorkspaceWebhooks', workspace);
  add('ada', 'readWorkspaceWebhook', one);
  add('ada', 'listWorkspaceWebhookDeliveries', one, { limit: '100' });
  add('session', 'readNotifications');

  add('ada', 'listFeeds');
  for (const kind of ['history', 'observations', 'forecast'])
    add(ANYONE, 'readFeed', { feed: scene.id(`feed:${kind}`) });

  add('ada', 'listScreenerAlerts');
  add('ada', 'listScreenerFields');
  add('ada', 'listScreenerMails');
  for (const name of ['Above its average', 'Two symbols']) {
    const filter = { alert_id: scene.id(`filter:${name}`) };
    add('ada', 'readScreenerAlert', filter);
    add('ada', 'listScreenerSessions', filter);
    for (const session of SESSIONS) add('ada', 'listScreenerMatches', filter, { session });
  }
}

function listAccountReads(scene: Scene, add: AddRead): void {
  for (const caller of ['ada', 'session', 'grace', 'hugo', 'nora', 'reader', 'admin', 'guest'])
    add(caller, 'readAccess');
  add('ada', 'readUsage');
  add('ada', 'listApiKeys');
  add('session', 'listSessions');
  add('session', 'listApplications');
  add('session', 'listSecurityEvents', {}, { limit: '100' });
  add('session', 'readErasure');
  for (const caller of ['ada', 'grace', 'hugo']) add(caller, 'listInvitations');
  add('admin', 'listAccounts');
  add('admin', 'listAccounts', {}, { state: 'locked' });
  for (const name of ['ada', 'locked']) add('admin', 'readAccount', { user_id: scene.id(`account:${name}`) });
}
