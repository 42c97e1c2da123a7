import type { DomainMigrations } from '../../../platform/index.ts';
import * as rateWindows from './0001-rate-windows.ts';

export const apiMigrations: DomainMigrations = {
  domain: 'api',
  migrations: { '0001-rate-windows': rateWindows },
};
