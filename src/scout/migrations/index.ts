import type { DomainMigrations } from '../../platform/index.ts';
import * as events from './0001-events.ts';

export const scoutMigrations: DomainMigrations = { domain: 'scout', migrations: { '0001-events': events } };
