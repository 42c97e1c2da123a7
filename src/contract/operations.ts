import { accessOperations } from './access.ts';
import { accountOperations, applicationOperations, securityEventOperations } from './account.ts';
import { accountDataOperations } from './account-data.ts';
import { adminOperations } from './admin.ts';
import { adminServiceOperations } from './admin-service.ts';
import { csvFileOperations } from './csv-files.ts';
import { feedOperations } from './feeds.ts';
import { forecastChangeOperations } from './forecast-changes.ts';
import { forecastHistoryOperations } from './forecast-history.ts';
import { forecastPreviewOperations } from './forecast-previews.ts';
import { forecastOperations } from './forecasts.ts';
import { invitationOperations } from './invitations.ts';
import { keyOperations } from './keys.ts';
import { marketDataOperations } from './market-data.ts';
import { marketSearchOperations } from './market-search.ts';
import { notificationOperations } from './notifications.ts';
import { outcomeOperations } from './outcomes.ts';
import { scoutOperations } from './scout.ts';
import { screenerOperations } from './screener.ts';
import { screenerDistributionOperations } from './screener-distributions.ts';
import { screenerMailOperations } from './screener-mails.ts';
import { sessionOperations } from './sessions.ts';
import { trackRecordOperations } from './track-record.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhooks.ts';
import { workspaceOperations } from './workspaces.ts';

/** Every operation of the service by its id. The service compiles only if every operation has a handler. */
export const operations = {
  ...accessOperations,
  ...usageOperations,
  ...accountOperations,
  ...accountDataOperations,
  ...keyOperations,
  ...sessionOperations,
  ...applicationOperations,
  ...securityEventOperations,
  ...invitationOperations,
  ...marketSearchOperations,
  ...marketDataOperations,
  ...feedOperations,
  ...forecastOperations,
  ...forecastHistoryOperations,
  ...forecastPreviewOperations,
  ...trackRecordOperations,
  ...forecastChangeOperations,
  ...outcomeOperations,
  ...scoutOperations,
  ...csvFileOperations,
  ...workspaceOperations,
  ...screenerOperations,
  ...screenerDistributionOperations,
  ...screenerMailOperations,
  ...webhookOperations,
  ...notificationOperations,
  ...adminOperations,
  ...adminServiceOperations,
};

export type Operations = typeof operations;
export type OperationId = keyof Operations;
