import { removeOldWindows } from '../api/index.ts';
import { MINUTE_MS } from '../calendar/index.ts';
import { removeLeastDescribed, removeOldReads, removeOldReplies, removeOldRows } from '../datasets/index.ts';
import {
  cancelForecastsOfLocked,
  oldParts,
  recordStoredBytes,
  removeExpiredGuests,
  removeExpiredRequests,
  removeExpiredSaveProofs,
  removeOldMemberCharges,
  removeOldUnpaidCpu,
  removeOldUsageDays,
} from '../forecasts/index.ts';
import { oldSecurityEvents, removeExpiredLinks, removeExpiredOAuth, removeExpiredSessions } from '../identity/index.ts';
import { removeLeastUsed } from '../market/index.ts';
import {
  cleanMails,
  oldDeliveries,
  oldMails,
  queueLostAttempts,
  removeUnusedWebhookKeys,
} from '../notifications/index.ts';
import {
  type Config,
  oldOutboxEvents,
  type Queue,
  type Removal,
  removeInBatches,
  removeOldSigningKeys,
  removeUnusedObjects,
} from '../platform/index.ts';
import { endStaleMails, oldScreenerMails, removeOldMetrics } from '../screener/index.ts';
import { removeUnusedSnapshots } from '../snapshots/index.ts';
import { removeAbandonedUploads, removeOldInvitations } from '../workspaces/index.ts';
import type { Foundation } from './foundation.ts';

/** How long one run removes old rows, and how long objects. The next run continues. */
const REMOVAL_MS = 5 * MINUTE_MS;

/**
 * Removes expired, unused and old rows in every room, and records how much accounts store. Ends early when the signal
 * aborts; the next run continues. Two runs at the same time do no harm.
 */
export async function runCleanup(
  foundation: Foundation,
  queue: Queue,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { config, database, clock, identity, log } = foundation;
  const base = { database, clock };
  const steps: readonly (() => Promise<unknown>)[] = [
    () => removeExpiredSessions(identity),
    () => removeExpiredLinks(identity),
    () => removeExpiredOAuth(identity),
    () => removeOldSigningKeys(database),
    () => removeUnusedWebhookKeys(base),
    () => removeOldInvitations(base),
    () => removeOldWindows(database),
    () => removeExpiredRequests(database, clock),
    () => removeExpiredSaveProofs(database, clock),
    () => removeOldUnpaidCpu(database, clock),
    () => removeOldMemberCharges(database, clock),
    () => cancelForecastsOfLocked({ ...base, queue }),
    () => removeOldUsageDays(database, clock),
    () => recordStoredBytes(base),
    () => removeExpiredGuests({ ...base, queue }),
    () => removeAbandonedUploads(base),
    () => removeOldMetrics(base),
    () => removeLeastUsed({ database, storeBytes: config.market.barStoreBytes }),
    () => removeOldReplies(base),
    () => removeOldReads(base),
    () => removeOldRows(base),
    () => removeLeastDescribed(base),
    () => endStaleMails(base),
    () => queueLostAttempts({ ...base, queue }),
    () => cleanMails({ ...base, queue }),
    () => removeByAge(foundation, signal),
    () => removeUnusedSnapshots(base),
    () => removeUnusedObjects({ ...base, log }, AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_MS)])),
  ];
  for (const step of steps) {
    if (signal.aborted) return;
    await step();
  }
}

async function removeByAge({ config, database, clock, log }: Foundation, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const until = AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_MS)]);
  const removed = await removeInBatches({ database, signal: until }, listRemovals(config.retention, clock.now()));
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  const details = { removed, seconds, ...(until.aborted && { continues: 'in the next run' }) };
  if (Object.keys(removed).length > 0) log.info(details, 'removed old rows');
  else log.debug(details, 'found no old rows');
}

/** Returns the removals of all rows that have an age limit. */
export function listRemovals(retention: Config['retention'], now: Date): Removal[] {
  const { securityEventDays, mailDays, deliveryDays } = retention;
  return [
    ...oldParts(retention, now),
    ...oldSecurityEvents(securityEventDays, now),
    ...oldMails(mailDays, now),
    ...oldScreenerMails(mailDays, now),
    ...oldDeliveries(deliveryDays, now),
    ...oldOutboxEvents(now),
  ];
}
