import type { DomainMigrations } from '../../platform/index.ts';
import * as providerBudget from './0001-provider-budget.ts';
import * as dropProviderBudget from './0002-drop-provider-budget.ts';
import * as barStore from './0003-bar-store.ts';
import * as directory from './0004-directory.ts';
import * as fill from './0005-fill.ts';

export const marketMigrations: DomainMigrations = {
  domain: 'market',
  migrations: {
    '0001-provider-budget': providerBudget,
    '0002-drop-provider-budget': dropProviderBudget,
    '0003-bar-store': barStore,
    '0004-directory': directory,
    '0005-fill': fill,
  },
};
