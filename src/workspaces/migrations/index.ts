import type { DomainMigrations } from '../../platform/index.ts';
import * as workspaces from './0001-workspaces.ts';

export const workspaceMigrations: DomainMigrations = {
  domain: 'workspaces',
  migrations: { '0001-workspaces': workspaces },
};
