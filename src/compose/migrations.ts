import { apiMigrations } from '../api/index.ts';
import { datasetMigrations } from '../datasets/index.ts';
import { feedMigrations } from '../feeds/index.ts';
import { forecastMigrations } from '../forecasts/index.ts';
import { identityMigrations } from '../identity/index.ts';
import { marketMigrations } from '../market/index.ts';
import { notificationMigrations } from '../notifications/index.ts';
import {
  type DomainMigrations,
  objectMigrations,
  outboundMigrations,
  outboxMigrations,
  signingMigrations,
} from '../platform/index.ts';
import { provenanceMigrations } from '../provenance/index.ts';
import { scoutMigrations } from '../scout/index.ts';
import { screenerMigrations } from '../screener/index.ts';
import { snapshotMigrations } from '../snapshots/index.ts';
import { workspaceMigrations } from '../workspaces/index.ts';

/** The migrations in the order of the floors, because tables may refer to those of lower floors. */
export const MIGRATIONS: readonly DomainMigrations[] = [
  signingMigrations,
  outboundMigrations,
  outboxMigrations,
  objectMigrations,
  snapshotMigrations,
  identityMigrations,
  workspaceMigrations,
  marketMigrations,
  datasetMigrations,
  provenanceMigrations,
  forecastMigrations,
  scoutMigrations,
  screenerMigrations,
  feedMigrations,
  notificationMigrations,
  apiMigrations,
];
