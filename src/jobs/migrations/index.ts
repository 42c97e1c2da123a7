import type { DomainMigrations } from '../../platform/index.ts';
import * as forecasts from './0001-forecasts.ts';

export const jobMigrations: DomainMigrations = {
  domain: 'jobs',
  migrations: { '0001-forecasts': forecasts },
};
