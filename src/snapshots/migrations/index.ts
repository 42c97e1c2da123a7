import type { DomainMigrations } from '../../platform/index.ts';
import * as snapshots from './0001-snapshots.ts';
import * as storedBytes from './0002-stored-bytes.ts';
import * as parts from './0003-parts.ts';

export const snapshotMigrations: DomainMigrations = {
  domain: 'snapshots',
  migrations: { '0001-snapshots': snapshots, '0002-stored-bytes': storedBytes, '0003-parts': parts },
};
