import type { DomainMigrations } from '../../database/index.ts';
import * as outboxEvents from './0001-outbox-events.ts';

export const outboxMigrations: DomainMigrations = {
  domain: 'outbox',
  migrations: { '0001-outbox-events': outboxEvents },
};
