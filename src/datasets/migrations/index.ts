import type { DomainMigrations } from '../../platform/index.ts';
import * as economicStore from './0002-economic-store.ts';

export const datasetMigrations: DomainMigrations = {
  domain: 'datasets',
  migrations: {
    '0002-economic-store': economicStore,
  },
};
