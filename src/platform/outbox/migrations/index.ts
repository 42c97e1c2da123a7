import type { DomainMigrations } from '../../database/index.ts';
import * as outboxEvents from './0001-outbox-events.ts';
import * as dispatch from './0002-dispatch.ts';

export const outboxMigrations: DomainMigrations = {
  domain: 'outbox',
  migrations: { '0001-outbox-events': outboxEvents, '0002-dispatch': dispatch },
};
