import type { DomainMigrations } from '../../platform/index.ts';
import * as snapshots from './0001-snapshots.ts';

export const snapshotMigrations: DomainMigrations = {
  domain: 'snapshots',
  migrations: { '0001-snapshots': snapshots },
};
