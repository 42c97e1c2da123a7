import type { DomainMigrations } from '../../platform/index.ts';
import * as callers from './0001-callers.ts';

export const identityMigrations: DomainMigrations = {
  domain: 'identity',
  migrations: { '0001-callers': callers },
};
