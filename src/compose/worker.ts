import { checkpointFolders, startEngine } from '../compute/index.ts';
import { startForecastWorker } from '../forecasts/index.ts';
import { startMailWorker } from '../identity/index.ts';
import type { MarketProvider } from '../market/index.ts';
import { type Config, createMailer, openQueue, type Queue, systemClock } from '../platform/index.ts';
import { startScoutWorker } from '../scout/index.ts';
import { SCREENER_MAILS, sendScreenerMail, startScreenerRuns } from '../screener/index.ts';
import { INVITATION_MAILS, sendInvitation } from '../workspaces/index.ts';
import { openData } from './data.ts';
import type { Foundation } from './foundation.ts';
import { keepHouse } from './housekeeping.ts';
import { HOUSEKEEPING, QUEUES } from './queues.ts';
import { screenerRunsOf } from './screener-runs.ts';

/** What handles jobs in this process. */
export interface Worker {
  readonly queue: Queue;
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
}

/** Where the service is reached when nobody says otherwise. */
function localOrigin({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export interface WorkerOptions {
  /** Where the links in mails lead. Empty: not known yet, and mails wait. */
  readonly siteUrl?: () => string;
  /** Asked for bars before the bundled data. */
  readonly providers?: readonly MarketProvider[];
}

/** Starts handling jobs, the recurring ones included. */
export async function startWorker(foundation: Foundation, options: WorkerOptions = {}): Promise<Worker> {
  const { config, database, log, identity, checkpoints } = foundation;
  const { siteUrl = () => config.siteUrl ?? localOrigin(config), providers = [] } = options;
  const queue = await openQueue(database, { queues: QUEUES, supervise: true, log });
  try {
    await queue.work(HOUSEKEEPING.name, {}, () => keepHouse(foundation));
    await queue.schedule(HOUSEKEEPING.name, '*/10 * * * *');
    const delivery = { mailer: createMailer(config, log), siteUrl, log };
    await startMailWorker(identity, queue, delivery, {
      [INVITATION_MAILS]: (invitationId) =>
        sendInvitation({ database, clock: systemClock }, { invitationId }, delivery),
      [SCREENER_MAILS]: (mailId, job) =>
        sendScreenerMail({ database, clock: systemClock, queue }, { mailId, job }, delivery),
    });
    const { sources, search } = openData({ database, clock: systemClock, log, providers });
    await startScoutWorker({ database, clock: systemClock, sources, cursorKey: search.cursorKey, queue, log });
    await startScreenerRuns(screenerRunsOf(foundation, { providers, queue }), queue);
    const forecasts = await startForecastWorker({ database, clock: systemClock, queue, log, checkpoints }, () =>
      startEngine({ checkpoints: checkpointFolders(config.dataFolder) }),
    );
    return {
      queue,
      stop: async (options) => {
        await queue.stop(options);
        await forecasts.close();
      },
    };
  } catch (error) {
    await queue.stop();
    throw error;
  }
}
