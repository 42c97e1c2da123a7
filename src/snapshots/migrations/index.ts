import type { DomainMigrations } from '../../platform/index.ts';
import * as snapshots from './0001-snapshots.ts';
import * as storedBytes from './0002-stored-bytes.ts';

export const snapshotMigrations: DomainMigrations = {
  domain: 'snapshots',
  migrations: { '0001-snapshots': snapshots, '0002-stored-bytes': storedBytes },
};
