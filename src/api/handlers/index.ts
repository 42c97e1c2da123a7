import type { Handlers } from '../call.ts';
import { accountHandlers } from './account.ts';
import { accountDataHandlers } from './account-data.ts';
import { adminHandlers } from './admin.ts';
import { csvFileHandlers } from './csv-files.ts';
import { feedHandlers } from './feeds.ts';
import { forecastChangeHandlers } from './forecast-changes.ts';
import { forecastPreviewHandlers } from './forecast-previews.ts';
import { forecastHandlers } from './forecasts.ts';
import { invitationHandlers } from './invitations.ts';
import { keyHandlers } from './keys.ts';
import { marketDataHandlers } from './market-data.ts';
import { notificationHandlers } from './notifications.ts';
import { outcomeHandlers } from './outcomes.ts';
import { scoutHandlers } from './scout.ts';
import { screenerHandlers } from './screener.ts';
import { sessionHandlers } from './sessions.ts';
import { trackRecordHandlers } from './track-record.ts';
import { webhookHandlers } from './webhooks.ts';
import { workspaceHandlers } from './workspaces.ts';

export const handlers: Handlers = {
  ...accountHandlers,
  ...accountDataHandlers,
  ...keyHandlers,
  ...sessionHandlers,
  ...invitationHandlers,
  ...marketDataHandlers,
  ...feedHandlers,
  ...forecastHandlers,
  ...forecastPreviewHandlers,
  ...trackRecordHandlers,
  ...forecastChangeHandlers,
  ...outcomeHandlers,
  ...scoutHandlers,
  ...csvFileHandlers,
  ...workspaceHandlers,
  ...screenerHandlers,
  ...webhookHandlers,
  ...notificationHandlers,
  ...adminHandlers,
};
