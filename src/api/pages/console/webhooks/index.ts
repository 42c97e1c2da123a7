import type { ConsoleRoute } from '../visit.ts';
import { confirmRoutes } from './confirm-pages.ts';
import { listRoutes } from './list-page.ts';
import { requestRoutes } from './requests.ts';
import { webhookRoutes } from './webhook-page.ts';

/** The pages of webhooks, of accounts and of workspaces. */
export const WEBHOOK_PAGES: readonly ConsoleRoute[] = [
  ...listRoutes,
  ...webhookRoutes,
  ...requestRoutes,
  ...confirmRoutes,
];
