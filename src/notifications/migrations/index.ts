import type { DomainMigrations } from '../../platform/index.ts';
import * as webhooks from './0001-webhooks.ts';
import * as mails from './0002-mails.ts';
import * as webhookKeys from './0003-webhook-keys.ts';

export const notificationMigrations: DomainMigrations = {
  domain: 'notifications',
  migrations: { '0001-webhooks': webhooks, '0002-mails': mails, '0003-webhook-keys': webhookKeys },
};
