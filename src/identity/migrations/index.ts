import type { DomainMigrations } from '../../platform/index.ts';
import * as callers from './0001-callers.ts';
import * as selfService from './0002-self-service.ts';
import * as oauth from './0003-oauth.ts';
import * as outsideIdentities from './0004-outside-identities.ts';
import * as bounces from './0005-bounces.ts';
import * as keyMakers from './0006-key-makers.ts';
import * as interactionNetworks from './0007-interaction-networks.ts';
import * as lockedAccounts from './0008-locked-accounts.ts';

export const identityMigrations: DomainMigrations = {
  domain: 'identity',
  migrations: {
    '0001-callers': callers,
    '0002-self-service': selfService,
    '0003-oauth': oauth,
    '0004-outside-identities': outsideIdentities,
    '0005-bounces': bounces,
    '0006-key-makers': keyMakers,
    '0007-interaction-networks': interactionNetworks,
    '0008-locked-accounts': lockedAccounts,
  },
};
