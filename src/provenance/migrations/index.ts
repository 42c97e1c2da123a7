import type { DomainMigrations } from '../../platform/index.ts';
import * as stamps from './0001-stamps.ts';

export const provenanceMigrations: DomainMigrations = {
  domain: 'provenance',
  migrations: { '0001-stamps': stamps },
};
