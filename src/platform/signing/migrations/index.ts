import type { DomainMigrations } from '../../database/index.ts';
import * as signingKeys from './0001-signing-keys.ts';
import * as rotation from './0002-rotation.ts';

export const signingMigrations: DomainMigrations = {
  domain: 'signing',
  migrations: { '0001-signing-keys': signingKeys, '0002-rotation': rotation },
};
