import type { OperationId } from '../../src/contract/index.ts';
import { type PageRow, prepare, SERIES } from './page-row.ts';

/** A page about one thing of the caller, which the table of operations creates. */
const ofOwn = (path: string, operation: OperationId, parameter: string, more: Partial<PageRow> = {}): PageRow => ({
  path,
  address: async (cell) => {
    const id = await prepare(cell, operation, parameter);
    return path.includes(':id') ? path.replace(':id', id) : `${path}?id=${id}`;
  },
  operation,
  ...more,
});

/** The pages of the screener, of the account and of administrators. */
export const ACCOUNT_PAGE_ROWS: readonly PageRow[] = [
  { path: '/screener', operation: 'listScreenerAlerts' },
  { path: '/screener/new', operation: 'createScreenerAlert' },
  {
    path: '/screener/mails',
    address: async (cell) => {
      // The button that turns all emails off needs two filters that send them.
      await prepare(cell, 'readScreenerAlert');
      await prepare(cell, 'readScreenerAlert');
      await cell.identity.database
        .query<{ screener_filter: { email: boolean } }>()
        .updateTable('screener_filter')
        .set({ email: true })
        .execute();
      return '/screener/mails';
    },
    operation: 'listScreenerMails',
  },
  ofOwn('/screener/:id', 'readScreenerAlert', 'alert_id'),
  ofOwn('/screener/:id/edit', 'updateScreenerAlert', 'alert_id'),
  // It leads to the filter.
  ofOwn('/screener/:id/email', 'updateScreenerAlert', 'alert_id', { operation: undefined }),
  ofOwn('/screener/:id/delete', 'deleteScreenerAlert', 'alert_id'),

  { path: '/auth/account', operation: 'listSessions' },
  { path: '/auth/account/usage', operation: 'readUsage', statuses: { guest: 403 } },
  { path: '/auth/account/keys', operation: 'listApiKeys' },
  ofOwn('/auth/account/keys/revoke', 'revokeApiKey', 'key_id'),
  {
    path: '/auth/account/sessions',
    address: async (cell) => {
      await prepare(cell, 'endSessionById');
      return '/auth/account/sessions';
    },
    operation: 'listSessions',
  },
  { path: '/auth/account/applications', operation: 'listApplications' },
  ofOwn('/auth/account/applications/revoke', 'revokeApplication', 'application_id'),
  { path: '/auth/account/feeds', operation: 'listFeeds' },
  { path: '/auth/account/feeds/new', operation: 'createFeed', statuses: { 'free account by key': 403 } },
  {
    path: '/auth/account/feeds/new',
    name: 'the form of a feed',
    address: () => `/auth/account/feeds/new?${SERIES}`,
    operation: 'createFeed',
    statuses: { 'free account by key': 403 },
  },
  ofOwn('/auth/account/feeds/delete', 'deleteFeed', 'feed'),
  { path: '/auth/account/notifications', operation: 'readNotifications' },
  { path: '/auth/account/webhooks', operation: 'listWebhooks' },
  // With a delivery, so that the page has the button that replays it.
  ofOwn('/auth/account/webhooks/:id', 'replayWebhookDelivery', 'webhook_id', { operation: 'readWebhook' }),
  ofOwn('/auth/account/webhooks/:id/rotate', 'rotateWebhook', 'webhook_id'),
  ofOwn('/auth/account/webhooks/:id/delete', 'deleteWebhook', 'webhook_id'),
  { path: '/auth/account/password', operation: 'changePassword' },
  { path: '/auth/account/security', operation: 'listSecurityEvents' },
  { path: '/auth/account/export', operation: 'exportAccount' },
  { path: '/auth/account/export/download', operation: 'exportAccount' },
  { path: '/auth/account/erase', operation: 'eraseAccount' },
  { path: '/auth/farewell' },

  { path: '/admin', operation: 'readServiceState' },
  { path: '/admin/ledger', operation: 'checkLedger' },
  { path: '/admin/users', operation: 'listAccounts' },
  ofOwn('/admin/users/:id', 'readAccount', 'user_id'),
  ofOwn('/admin/users/:id/plan', 'readAccount', 'user_id'),
  ofOwn('/admin/users/:id/lock', 'readAccount', 'user_id'),
  ofOwn('/admin/users/:id/administrator', 'readAccount', 'user_id'),
];
