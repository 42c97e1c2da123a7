import type { DomainMigrations } from '../../platform/index.ts';
import * as stamps from './0001-stamps.ts';
import * as begunProofs from './0002-begun-proofs.ts';

export const provenanceMigrations: DomainMigrations = {
  domain: 'provenance',
  migrations: { '0001-stamps': stamps, '0002-begun-proofs': begunProofs },
};
