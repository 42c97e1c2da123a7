import type { DomainMigrations } from '../../platform/index.ts';
import * as forecasts from './0001-forecasts.ts';
import * as networkSlots from './0002-network-slots.ts';
import * as settledOnce from './0003-settled-once.ts';
import * as payers from './0004-payers.ts';
import * as unpaidCpu from './0005-unpaid-cpu.ts';
import * as memberCharges from './0006-member-charges.ts';
import * as storedForecasts from './0007-stored-forecasts.ts';
import * as proofSeals from './0008-proof-seals.ts';
import * as outcomes from './0009-outcomes.ts';
import * as copies from './0010-copies.ts';
import * as nameless from './0011-nameless.ts';
import * as usageDays from './0012-usage-days.ts';
import * as engineQueues from './0013-engine-queues.ts';

export const forecastMigrations: DomainMigrations = {
  domain: 'jobs',
  migrations: {
    '0001-forecasts': forecasts,
    '0002-network-slots': networkSlots,
    '0003-settled-once': settledOnce,
    '0004-payers': payers,
    '0005-unpaid-cpu': unpaidCpu,
    '0006-member-charges': memberCharges,
    '0007-stored-forecasts': storedForecasts,
    '0008-proof-seals': proofSeals,
    '0009-outcomes': outcomes,
    '0010-copies': copies,
    '0012-usage-days': usageDays,
    '0011-nameless': nameless,
    '0013-engine-queues': engineQueues,
  },
};
