import type { Licenses } from '../access/index.ts';
import {
  countWorkspaceForecasts,
  findForecastsInWorkspace,
  findPrivateToOthers,
  readMemberCredits,
  removeWorkspaceForecasts,
} from '../forecasts/index.ts';
import { createMailRequester, type IdentityContext } from '../identity/index.ts';
import type { MarketProvider } from '../market/index.ts';
import type { Clock, Config, Database, Log, Queue } from '../platform/index.ts';
import { countWorkspaceEvents, removeWorkspaceEvents } from '../scout/index.ts';
import { queueMailsAfterRun, type ScreenerRunContext } from '../screener/index.ts';
import type { StorageLimits } from '../snapshots/index.ts';
import { createInvitationMailRequester, createPersonalWorkspace, type WorkspaceContext } from '../workspaces/index.ts';
import { openMarket } from './data.ts';
import { queueUnavailable } from './faults.ts';

/** The dependencies that all domains have. */
export interface Base {
  readonly database: Database;
  readonly clock: Clock;
}

const refuse = async (): Promise<never> => {
  throw queueUnavailable();
};

/** Takes the place of the queue in a process without one, such as a command. It refuses all work. */
export const NO_QUEUE: Queue = {
  enqueue: refuse,
  enqueueAll: refuse,
  cancel: refuse,
  changePriority: refuse,
  remove: refuse,
  complete: refuse,
  work: refuse,
  schedule: refuse,
  unschedule: refuse,
  stop: async () => {},
};

/** For processes in which no account takes over a workspace, such as a command. */
const NO_STORAGE_LIMITS: StorageLimits = {
  guest: Number.POSITIVE_INFINITY,
  network: Number.POSITIVE_INFINITY,
  workspace: Number.POSITIVE_INFINITY,
  plans: { free: Number.POSITIVE_INFINITY, pro: Number.POSITIVE_INFINITY, enterprise: Number.POSITIVE_INFINITY },
};

/** Creates the identity context. Without a queue, operations that send mail are refused. */
export function createIdentityContext({ database, clock }: Base, queue = NO_QUEUE): IdentityContext {
  return { database, clock, onAccountCreated: createPersonalWorkspace, requestMail: createMailRequester(queue) };
}

/**
 * Creates the workspace context. Higher floors provide its functions for forecasts and events. Without a queue,
 * operations that send mail or cancel jobs are refused.
 */
export function createWorkspaceContext(
  { database, clock }: Base,
  { queue = NO_QUEUE, storage = NO_STORAGE_LIMITS }: { readonly queue?: Queue; readonly storage?: StorageLimits } = {},
): WorkspaceContext {
  return {
    database,
    clock,
    storage,
    requestMail: createInvitationMailRequester(queue),
    onWorkspaceRemoved: async (tx, workspaceId, now) => {
      const removed = await removeWorkspaceForecasts({ queue }, tx, workspaceId, now);
      return { ...removed, events: await removeWorkspaceEvents(tx, workspaceId) };
    },
    countContents: async (executor, workspaceId) => ({
      ...(await countWorkspaceForecasts(executor, workspaceId)),
      ...(await countWorkspaceEvents(executor, workspaceId)),
    }),
    memberCredits: readMemberCredits,
    forecastsIn: findForecastsInWorkspace,
    privateToOthers: findPrivateToOthers,
  };
}

export interface ScreenerRunParts extends Base {
  readonly config: Config;
  readonly log: Log;
  readonly licenses: Licenses;
  /** The configured providers. */
  readonly providers: readonly MarketProvider[];
}

/** Creates the context for screener runs. Without a queue they send no email. */
export function createScreenerRunContext(
  { config, database, clock, log, licenses, providers: configured }: ScreenerRunParts,
  { providers = configured, queue }: { readonly providers?: readonly MarketProvider[]; readonly queue?: Queue } = {},
): ScreenerRunContext {
  return {
    database,
    clock,
    log,
    market: openMarket({ database, clock, log, providers, licenses, barStoreBytes: config.market.barStoreBytes })
      .market,
    lagMinutes: config.screenerLagMinutes,
    waitMinutes: config.screenerWaitMinutes,
    onRunCompleted:
      queue === undefined ? async () => {} : queueMailsAfterRun(queue, { clock, perDay: config.screenerMailsPerDay }),
  };
}
