import type { DomainMigrations } from '../../database/index.ts';
import * as storedParts from './0001-stored-parts.ts';

export const objectMigrations: DomainMigrations = {
  domain: 'objects',
  migrations: { '0001-stored-parts': storedParts },
};
