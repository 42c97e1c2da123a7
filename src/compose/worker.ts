import { checkpointFolders, startEngine } from '../compute/index.ts';
import { startEconomicListings } from '../datasets/index.ts';
import { startForecastWorker, startOutcomeWorker } from '../forecasts/index.ts';
import { startMailWorker } from '../identity/index.ts';
import { type MarketProvider, startDaysFills, startListingRefreshes } from '../market/index.ts';
import {
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
import { SCREENER_MAIL_KEY, sendScreenerMail, startScreenerRuns } from '../screener/index.ts';
import { INVITATION_MAIL_KEY, sendInvitation } from '../workspaces/index.ts';
import { runCleanup } from './cleanup.ts';
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
  const stopping = new AbortController();
  try {
    await queue.work(CLEANUP_QUEUE.name, {}, ({ signal }) =>
      runCleanup(foundation, queue, AbortSignal.any([signal, stopping.signal])),
    );
    await queue.schedule(CLEANUP_QUEUE.name, '*/10 * * * *');
    const delivery = { mailer: createMailer(config, log, foundation.live.current), siteUrl, log };
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
    const stamper = await openStamper(config, { ...base, log }, foundation.live);
    await startStampWorker({ database, queue, clock, log, stamper });
    const notifications = { ...base, log, queue, outboundAllow: config.outboundAllow };
    await startDeliveryWorker(notifications);
    // The last one that can fail, because it reports until it is told to end.
    const forecasts = await startForecastWorker({ ...base, queue, log, checkpoints, stamps }, () =>
      startEngine({
        threads: config.fitThreads ?? shareCores(),
        checkpoints: checkpointFolders(config.dataFolder),
        engines: checkpoints.engines,
        stuckSeconds: config.stuckSeconds,
      }),
    );
    const stopDispatch = startDispatch(notifications);
    return {
      queue,
      stop: async (options) => {
        // The next run continues, so that the stop does not wait for this one.
        stopping.abort();
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
