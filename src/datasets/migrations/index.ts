import type { DomainMigrations } from '../../platform/index.ts';
import * as economicListing from './0001-economic-listing.ts';
import * as economicStore from './0002-economic-store.ts';
import * as warehouseReads from './0003-warehouse-reads.ts';

export const datasetMigrations: DomainMigrations = {
  domain: 'datasets',
  migrations: {
    '0001-economic-listing': economicListing,
    '0002-economic-store': economicStore,
    '0003-warehouse-reads': warehouseReads,
  },
};
