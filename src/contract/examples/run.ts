import type { OperationId } from '../operations.ts';
import type { Example } from './example.ts';
import { FILE_FORECAST, GUEST_FORECAST } from './forecasts.ts';

/** Another example of an operation, which later steps need. */
export interface FurtherExample {
  readonly of: OperationId;
  readonly summary: string;
  readonly example: Example;
}

export type ExampleStep = OperationId | FurtherExample;

const CREATE_AS_GUEST: FurtherExample = {
  of: 'createForecast',
  summary: 'Create a forecast as a guest',
  example: GUEST_FORECAST,
};
const WATCH_AS_GUEST: FurtherExample = {
  of: 'watchForecast',
  summary: 'Watch the forecast of a guest',
  example: { caller: 'guest', params: { forecast_id: '{{guest_forecast_id}}' } },
};
const CREATE_FROM_FILE: FurtherExample = {
  of: 'createForecast',
  summary: 'Create a forecast of a file in a workspace',
  example: FILE_FORECAST,
};

/**
 * An order in which every example answers. Some steps occur twice, because another step uses up what they create: an
 * invitation is answered once, and a session ends once.
 */
export const EXAMPLE_RUN: readonly ExampleStep[] = [
  // Sessions, keys and applications.
  'createSession',
  'listSessions',
  'endSessionById',
  'createSession',
  'endSession',
  'createSession',
  'createGuestSession',
  'createApiKey',
  'listApiKeys',
  'revokeApiKey',
  'listApplications',
  'revokeApplication',
  'requestVerification',
  'listSecurityEvents',
  // Data.
  'searchSeries',
  'previewSeries',
  'describeSeries',
  'readObservations',
  'listMarketProviders',
  'readStockHistory',
  'createFeed',
  'listFeeds',
  'readFeed',
  'deleteFeed',
  // Workspaces and members.
  'createWorkspace',
  'listWorkspaces',
  'readWorkspace',
  'renameWorkspace',
  'addCollaborator',
  'listInvitations',
  'declineInvitation',
  'addCollaborator',
  'listInvitations',
  'acceptInvitation',
  'listCollaborators',
  'updateCollaborator',
  'uploadCsvFile',
  'listCsvFiles',
  'readCsvFile',
  'readCsvSeries',
  'downloadCsvFile',
  // Forecasts.
  'listModels',
  'estimateForecast',
  'createForecast',
  'watchForecast',
  'readForecast',
  'listForecasts',
  'previewForecasts',
  'listForecastActions',
  'readForecastHistory',
  'readForecastProof',
  'exportForecast',
  'recordOutcome',
  'readOutcome',
  'readTrackRecord',
  'updateForecast',
  'saveForecast',
  CREATE_AS_GUEST,
  WATCH_AS_GUEST,
  'prepareSaveForecast',
  CREATE_FROM_FILE,
  'listWorkspaceForecasts',
  'readWorkspaceContents',
  'reproduceForecast',
  'cancelForecast',
  'deleteForecast',
  // Questions.
  'previewEventsFromForecast',
  'createEventsFromForecast',
  'createEvent',
  'listEvents',
  'readEvent',
  'listEventActions',
  'reviseEvent',
  'listEventRevisions',
  'readEventHistory',
  'readEventProof',
  'resolveEvent',
  'readEventResolution',
  'readScoreboard',
  // Filters.
  'createScreenerAlert',
  'listScreenerFields',
  'listScreenerAlerts',
  'readScreenerAlert',
  'previewScreenerAlert',
  'listScreenerMatches',
  'listScreenerSessions',
  'listScreenerMails',
  'updateScreenerAlert',
  'deleteScreenerAlert',
  // Webhooks.
  'createWebhook',
  'listWebhooks',
  'readWebhook',
  'updateWebhook',
  'testWebhook',
  'listWebhookDeliveries',
  'replayWebhookDelivery',
  'rotateWebhook',
  'deleteWebhook',
  'createWorkspaceWebhook',
  'listWorkspaceWebhooks',
  'readWorkspaceWebhook',
  'updateWorkspaceWebhook',
  'testWorkspaceWebhook',
  'listWorkspaceWebhookDeliveries',
  'replayWorkspaceWebhookDelivery',
  'rotateWorkspaceWebhook',
  'deleteWorkspaceWebhook',
  // The account, and what removes things.
  'readAccess',
  'readUsage',
  'readNotifications',
  'updateNotifications',
  'listAccounts',
  'readAccount',
  'updateAccount',
  'readServiceState',
  'checkLedger',
  'transferWorkspace',
  'readTransfer',
  'withdrawTransfer',
  'removeCollaborator',
  'deleteCsvFile',
  'deleteWorkspace',
  'changePassword',
  'endOtherSessions',
  'exportAccount',
  'readErasure',
  'eraseAccount',
];
