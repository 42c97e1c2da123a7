import { removeOldWindows } from '../api/index.ts';
import { checkpointFolders, startEngine } from '../compute/index.ts';
import {
  removeLeastDescribed,
  removeOldReads,
  removeOldReplies,
  removeOldRows,
  startEconomicListings,
} from '../datasets/index.ts';
import {
  cancelForecastsOfLocked,
  recordStoredBytes,
  removeExpiredGuests,
  removeExpiredRequests,
  removeExpiredSaveProofs,
  removeOldMemberCharges,
  removeOldParts,
  removeOldUnpaidCpu,
  removeOldUsageDays,
  startForecastWorker,
  startOutcomeWorker,
} from '../forecasts/index.ts';
import {
  removeExpiredLinks,
  removeExpiredOAuth,
  removeExpiredSessions,
  removeOldSecurityEvents,
  startMailWorker,
} from '../identity/index.ts';
import { type MarketProvider, removeLeastUsed, startDaysFills, startListingRefreshes } from '../market/index.ts';
import {
  cleanDeliveries,
  cleanMails,
  NOTIFICATION_MAIL_KEY,
  sendNotificationMail,
  sendOffMail,
  startDeliveryWorker,
  startDispatch,
  WEBHOOK_MAIL_KEY,
} from '../notifications/index.ts';
import { type Config, createMailer, openQueue, type Queue, type StopOptions, shareCores } from '../platform/index.ts';
import { startStampWorker } from '../provenance/index.ts';
import { startScoutWorker } from '../scout/index.ts';
import {
  endStaleMails,
  removeOldMetrics,
  SCREENER_MAIL_KEY,
  sendScreenerMail,
  startScreenerRuns,
} from '../screener/index.ts';
import { removeUnusedSnapshots } from '../snapshots/index.ts';
import {
  INVITATION_MAIL_KEY,
  removeAbandonedUploads,
  removeOldInvitations,
  sendInvitation,
} from '../workspaces/index.ts';
import { openData } from './data.ts';
import { createScreenerRunContext } from './domains.ts';
import type { Foundation } from './foundation.ts';
import { createListingChoice } from './providers.ts';
import { CLEANUP_QUEUE, listQueues } from './queues.ts';
import { openStamper } from './stamps.ts';

/** The part of a process that runs jobs. */
export interface Worker {
  readonly queue: Queue;
  stop(options?: StopOptions): Promise<void>;
}

export interface WorkerOptions {
  /** Returns the origin of the links in emails. Emails are not sent while it is empty. */
  readonly siteUrl?: () => string;
  /** Used instead of the configured providers. */
  readonly providers?: readonly MarketProvider[];
}

/** Starts a worker, which also runs the scheduled jobs. */
export async function startWorker(foundation: Foundation, options: WorkerOptions = {}): Promise<Worker> {
  const { config, database, clock, log, licenses, identity, checkpoints, adapters, warehouse, stamps } = foundation;
  const { siteUrl = () => config.siteUrl ?? localOrigin(config), providers = foundation.providers } = options;
  const base = { database, clock };
  const queue = await openQueue(database, { queues: listQueues(checkpoints.engines.present), supervise: true, log });
  try {
    await queue.work(CLEANUP_QUEUE.name, {}, () => runCleanup(foundation, queue));
    await queue.schedule(CLEANUP_QUEUE.name, '*/10 * * * *');
    const delivery = { mailer: createMailer(config, log), siteUrl, log };
    await startMailWorker(identity, queue, delivery, {
      [INVITATION_MAIL_KEY]: (invitationId) => sendInvitation(base, { invitationId }, delivery),
      [SCREENER_MAIL_KEY]: (mailId, job) => sendScreenerMail({ ...base, queue }, { mailId, job }, delivery),
      [WEBHOOK_MAIL_KEY]: (webhookId) => sendOffMail(base, webhookId, delivery),
      [NOTIFICATION_MAIL_KEY]: (mailId, job) => sendNotificationMail({ ...base, queue }, { mailId, job }, delivery),
    });
    const { sources, search, directory, market, listing } = openData({
      ...base,
      log,
      providers,
      adapters,
      warehouse,
      licenses,
      barStoreBytes: config.market.barStoreBytes,
    });
    await startScoutWorker({ ...base, sources, stamps, cursorKey: search.cursorKey, queue, log });
    await startOutcomeWorker({ ...base, sources, queue, log });
    await startScreenerRuns(createScreenerRunContext(foundation, { providers, queue }), queue);
    await startListingRefreshes(
      { ...base, log, providers, directory, isListingWanted: createListingChoice(database) },
      queue,
    );
    await startEconomicListings({ ...base, log, adapters, listing }, queue);
    await startDaysFills(
      { ...market, log, storeBytes: config.market.barStoreBytes, lagMinutes: config.screenerLagMinutes },
      queue,
    );
    const forecasts = await startForecastWorker({ ...base, queue, log, checkpoints, stamps }, () =>
      startEngine({
        threads: config.fitThreads ?? shareCores(),
        checkpoints: checkpointFolders(config.dataFolder),
        engines: checkpoints.engines,
      }),
    );
    const stamper = await openStamper(config, { ...base, log });
    await startStampWorker({ database, queue, clock, log, stamper });
    const notifications = { ...base, log, queue, outboundAllow: config.outboundAllow };
    await startDeliveryWorker(notifications);
    const stopDispatch = startDispatch(notifications);
    return {
      queue,
      stop: async (options) => {
        await stopDispatch();
        await forecasts.leave();
        await queue.stop(options);
        await forecasts.close();
      },
    };
  } catch (error) {
    await queue.stop();
    throw error;
  }
}

/** Returns the local origin of the service, for a worker without SITE_URL. */
function localOrigin({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Removes expired and unused rows in every room, and records how much accounts store. */
export async function runCleanup({ config, database, clock, identity }: Foundation, queue: Queue): Promise<void> {
  const base = { database, clock };
  await removeExpiredSessions(identity);
  await removeExpiredLinks(identity);
  await removeExpiredOAuth(identity);
  await removeOldSecurityEvents(identity);
  await removeOldInvitations(base);
  await removeOldWindows(database);
  await removeExpiredRequests(database, clock);
  await removeExpiredSaveProofs(database, clock);
  await removeOldUnpaidCpu(database, clock);
  await removeOldMemberCharges(database, clock);
  await cancelForecastsOfLocked({ ...base, queue });
  await removeOldUsageDays(database, clock);
  await recordStoredBytes(base);
  await removeExpiredGuests({ ...base, queue });
  await removeOldParts({ ...base, retention: config.retention });
  await removeUnusedSnapshots(base);
  await removeAbandonedUploads(base);
  await removeOldMetrics(base);
  await removeLeastUsed({ database, storeBytes: config.market.barStoreBytes });
  await removeOldReplies(base);
  await removeOldReads(base);
  await removeOldRows(base);
  await removeLeastDescribed(base);
  await endStaleMails(base);
  await cleanDeliveries({ ...base, queue });
  await cleanMails({ ...base, queue });
}
