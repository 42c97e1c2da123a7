import { removeOldWindows } from '../api/index.ts';
import { removeOldProofs, removeOldRequests } from '../forecasts/index.ts';
import {
  removeExpiredLinks,
  removeExpiredOAuth,
  removeExpiredSessions,
  removeOldSecurityEvents,
} from '../identity/index.ts';
import { systemClock } from '../platform/index.ts';
import { endStaleMails, removeOldMetrics } from '../screener/index.ts';
import { removeUnusedSnapshots } from '../snapshots/index.ts';
import { removeAbandonedUploads, removeOldInvitations } from '../workspaces/index.ts';
import type { Foundation } from './foundation.ts';

/** Removes what is over, in every room. */
export async function keepHouse({ database, identity }: Pick<Foundation, 'database' | 'identity'>): Promise<void> {
  await removeExpiredSessions(identity);
  await removeExpiredLinks(identity);
  await removeExpiredOAuth(identity);
  await removeOldSecurityEvents(identity);
  await removeOldInvitations({ database, clock: systemClock });
  await removeOldWindows(database);
  await removeOldRequests(database, systemClock);
  await removeOldProofs(database, systemClock);
  await removeUnusedSnapshots({ database, clock: systemClock });
  await removeAbandonedUploads({ database, clock: systemClock });
  await removeOldMetrics({ database, clock: systemClock });
  await endStaleMails({ database, clock: systemClock });
}
