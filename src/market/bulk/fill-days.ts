import { latestClosedSession, MINUTE_MS } from '../../calendar/index.ts';
import { ProviderError, type Queue, type QueueDefinition } from '../../platform/index.ts';
import { type DaysByDate, isBulkProvider, type MarketProvider } from '../providers/provider.ts';
import { assignSymbols, type FilledProvider } from './assign-symbols.ts';
import { fillByDate } from './fill-by-date.ts';
import { fillBySymbols } from './fill-by-symbols.ts';
import { FillClaim, type FillProgress } from './fill-claim.ts';
import { type FillContext, FillRun } from './fill-run.ts';
import { lastSessions } from './session-day.ts';

/** Jobs are not retried, because the next scheduled job continues. */
export const DAYS_QUEUE: QueueDefinition = {
  name: 'market-days',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 4 * 3_600,
};

/** The number of sessions that are kept in the store. */
export const FILLED_SESSIONS = 400;

/**
 * How an attempt ended. `idle`: there was nothing to do, or another worker was doing it. `unpublished`: the provider
 * does not have all bars of the session yet.
 */
export type FillOutcome = 'idle' | 'completed' | 'unpublished' | 'failed';

export interface FillOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (provider: string, progress: FillProgress) => void;
}

/** Starts reading the days of new sessions in bulk, every ten minutes. */
export async function startDaysFills(context: FillContext, queue: Queue): Promise<void> {
  await queue.work(DAYS_QUEUE.name, {}, async ({ signal }) => {
    await fillDays(context, { signal });
  });
  await queue.schedule(DAYS_QUEUE.name, '*/10 * * * *');
}

/**
 * Reads the split-adjusted daily bars of the last sessions of all active listed stocks into the store, as far as they
 * are missing. Each symbol is read from the first provider that lists it. An attempt that fails or is aborted is
 * continued by the next one.
 *
 * @returns how the attempt ended, by provider
 */
export async function fillDays(
  context: FillContext,
  options: FillOptions = {},
): Promise<ReadonlyMap<string, FillOutcome>> {
  const symbols = Map.groupBy(await assignSymbols(context), ([, provider]) => provider);
  const outcomes = new Map<string, FillOutcome>();
  for (const [provider, assigned] of symbols) {
    const listed = assigned.map(([symbol]) => symbol);
    let outcome: FillOutcome | 'changed';
    do outcome = await fillProvider(context, provider, listed, options);
    while (outcome === 'changed');
    outcomes.set(provider.id, outcome);
  }
  return outcomes;
}

/** Returns `changed` if the provider reported that it has the bars of an earlier session only. */
async function fillProvider(
  context: FillContext,
  provider: FilledProvider,
  symbols: readonly string[],
  { signal, onProgress }: FillOptions,
): Promise<FillOutcome | 'changed'> {
  const { database, clock, log, sessions: count = FILLED_SESSIONS } = context;
  const session = latestFilledSession(context, provider);
  const unit = isBulkProvider(provider) ? 'symbols' : 'dates';
  const claim = await FillClaim.take(database, { provider: provider.id, unit, session }, clock.now());
  if (claim === null) return 'idle';
  return claim.hold(signal, async (held): Promise<FillOutcome | 'changed'> => {
    const run = new FillRun({
      context,
      provider,
      symbols,
      sessions: lastSessions(session, count).filter((day) => day === session || day >= (provider.earliest ?? day)),
      claim,
      signal: held,
      onProgress: (progress) => onProgress?.(provider.id, progress),
    });
    try {
      const isComplete = await (isBulkProvider(provider)
        ? fillBySymbols(run, provider)
        : fillByDate(run, provider as MarketProvider & { readonly bulk: DaysByDate }));
      await claim.end(isComplete ? session : null, run.skipped?.fault ?? null, clock.now());
      if (isComplete) log.info({ provider: provider.id, session: new Date(session) }, 'daily bars were read');
      return isComplete ? 'completed' : 'unpublished';
    } catch (error) {
      held.throwIfAborted();
      if (!(error instanceof ProviderError)) throw error;
      await claim.end(null, error.fault, clock.now());
      if (latestFilledSession(context, provider) !== session) return 'changed';
      log.warn({ err: error, provider: provider.id }, 'reading daily bars failed; the next attempt continues');
      return 'failed';
    }
  });
}

/** Returns the latest session whose bars are final and whose bars the provider has. */
export function latestFilledSession(
  { clock, lagMinutes }: Pick<FillContext, 'clock' | 'lagMinutes'>,
  { delayMinutes }: Pick<MarketProvider, 'delayMinutes'>,
): number {
  return latestClosedSession(clock.now().getTime(), Math.max(lagMinutes, delayMinutes) * MINUTE_MS);
}
