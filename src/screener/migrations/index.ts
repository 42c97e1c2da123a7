import type { DomainMigrations } from '../../platform/index.ts';
import * as screener from './0001-screener.ts';
import * as sharedSymbols from './0002-shared-symbols.ts';

export const screenerMigrations: DomainMigrations = {
  domain: 'screener',
  migrations: { '0001-screener': screener, '0002-shared-symbols': sharedSymbols },
};
