import type { DomainMigrations } from '../../platform/index.ts';
import * as events from './0001-events.ts';
import * as finalTimes from './0002-final-times.ts';
import * as proofs from './0003-proofs.ts';

export const scoutMigrations: DomainMigrations = {
  domain: 'scout',
  migrations: { '0001-events': events, '0002-final-times': finalTimes, '0003-proofs': proofs },
};
