import type { DomainMigrations } from '../../database/index.ts';
import * as providerState from './0001-provider-state.ts';
import * as pausedUntil from './0002-paused-until.ts';

export const outboundMigrations: DomainMigrations = {
  domain: 'outbound',
  migrations: { '0001-provider-state': providerState, '0002-paused-until': pausedUntil },
};
