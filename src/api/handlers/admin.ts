import { MAX_LEDGER_ERRORS } from '../../contract/index.ts';
import { reportEconomicProviders } from '../../datasets/index.ts';
import { countFeeds } from '../../feeds/index.ts';
import {
  cancelAccountForecasts,
  checkLedger,
  countForecasts,
  isLedgerSound,
  listForecastBacklogs,
  readPlanUsage,
} from '../../forecasts/index.ts';
import {
  administerAccount,
  countAccounts,
  readAdministered,
  readPrincipal,
  searchAccounts,
} from '../../identity/index.ts';
import { reportProviders } from '../../market/index.ts';
import { readDatabaseSize, readQueueReport, readVersion } from '../../platform/index.ts';
import { countProofs } from '../../provenance/index.ts';
import { countEvents } from '../../scout/index.ts';
import { listFilters } from '../../screener/index.ts';
import { listOwnedWorkspaces } from '../../workspaces/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { accountRemoved } from '../faults.ts';
import { originOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';

export const adminHandlers = {
  async listAccounts({ parts, query }) {
    const { identity, workspaces } = parts;
    const { accounts, nextCursor } = await searchAccounts({ ...identity, cursorKey: workspaces.cursorKey }, query);
    return { users: accounts, next_cursor: nextCursor };
  },

  async readAccount(call) {
    return viewDetails(call.parts, call.params.user_id, accountOf(call).accountId);
  },

  async updateAccount(call) {
    const { parts, params, body } = call;
    const { accountId: administratorId } = accountOf(call);
    const accountId = params.user_id;
    await administerAccount(parts.identity, { administratorId, accountId, change: body, origin: originOf(call) });
    parts.log.info({ administrator: administratorId, account: accountId, change: body }, 'account administered');
    // After the lock is stored. If this fails, the next cleanup or the same request again cancels them.
    if (body.locked === true) await cancelAccountForecasts(parts.forecasts, accountId);
    return viewDetails(parts, accountId, administratorId);
  },

  async readServiceState({ parts }) {
    const { database, clock, config } = parts;
    const market = await reportProviders(parts, parts.knownProviders, { withStates: true });
    const economic = await reportEconomicProviders(parts, parts.knownAdapters);
    const { queues, workerSeenAt } = await readQueueReport(database);
    return {
      at: clock.now().toISOString(),
      version: readVersion(),
      node: process.version,
      database: { kind: database.kind, bytes: await readDatabaseSize(database), problem: database.findProblem() },
      accounts: await countAccounts(database),
      providers: [
        ...market.map((one) => viewProvider('market', one)),
        ...economic.map((one) => viewProvider('economic', one)),
      ],
      queues: queues.map(({ oldestSeconds, ...queue }) => ({ ...queue, oldest_seconds: oldestSeconds })),
      forecast_queues: (await listForecastBacklogs(database)).map(({ engine, waiting, oldestSeconds, workers }) => {
        return { engine, waiting, oldest_seconds: oldestSeconds, workers };
      }),
      worker_seen_at: workerSeenAt?.toISOString() ?? null,
      stamper: { kind: config.stamps.stamper?.kind ?? null, ...(await countProofs(database)) },
    };
  },

  async checkLedger({ parts }) {
    const report = await checkLedger(parts.database);
    const { entries, transfers, unbalanced, open, slots } = report;
    return {
      at: parts.clock.now().toISOString(),
      sound: isLedgerSound(report),
      entries,
      transfers,
      unbalanced: unbalanced.slice(0, MAX_LEDGER_ERRORS),
      open: open.slice(0, MAX_LEDGER_ERRORS),
      slots: slots.slice(0, MAX_LEDGER_ERRORS),
      errors: unbalanced.length + open.length + slots.length,
    };
  },
} satisfies Partial<Handlers>;

/** Returns an account in numbers. Nothing here may be a name, a title or a content. */
async function viewDetails(parts: ApiParts, accountId: string, callerId: string) {
  const { database, identity, forecasts } = parts;
  const { account, apiKeys, sessions, applications } = await readAdministered(identity, accountId);
  const principal = await readPrincipal(database, accountId);
  // It was removed since it was read.
  if (principal === null) throw accountRemoved();
  const { period, credits, slots, storage } = await readPlanUsage(forecasts, principal, null);
  const created = await countForecasts(database, accountId);
  return {
    ...account,
    is_own: accountId === callerId,
    counts: {
      workspaces: (await listOwnedWorkspaces(database, accountId)).length,
      forecasts: created.forecasts,
      unfinished_forecasts: created.unfinished,
      events: await countEvents(database, accountId),
      filters: (await listFilters(database, accountId)).length,
      feeds: await countFeeds(parts, accountId),
      api_keys: apiKeys,
      sessions,
      applications,
    },
    usage: { period, credits, slots, storage },
  };
}

type Supplied = 'market' | 'economic';
type ReportedProvider =
  | Awaited<ReturnType<typeof reportProviders>>[number]
  | Awaited<ReturnType<typeof reportEconomicProviders>>[number];

function viewProvider(supplies: Supplied, provider: ReportedProvider) {
  const { id, configured, state = 'closed', listing = null } = provider;
  const { last_success_at = null, last_failure = null, requests_left = null } = provider;
  return { id, supplies, configured, state, last_success_at, last_failure, requests_left, listing };
}
