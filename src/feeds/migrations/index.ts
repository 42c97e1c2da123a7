import type { DomainMigrations } from '../../platform/index.ts';
import * as feeds from './0001-feeds.ts';

export const feedMigrations: DomainMigrations = {
  domain: 'feeds',
  migrations: { '0001-feeds': feeds },
};
