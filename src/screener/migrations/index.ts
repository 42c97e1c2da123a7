import type { DomainMigrations } from '../../platform/index.ts';
import * as screener from './0001-screener.ts';

export const screenerMigrations: DomainMigrations = {
  domain: 'screener',
  migrations: { '0001-screener': screener },
};
