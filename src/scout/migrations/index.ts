import type { DomainMigrations } from '../../platform/index.ts';
import * as events from './0001-events.ts';
import * as finalTimes from './0002-final-times.ts';

export const scoutMigrations: DomainMigrations = {
  domain: 'scout',
  migrations: { '0001-events': events, '0002-final-times': finalTimes },
};
