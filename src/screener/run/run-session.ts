import { MINUTE_MS, sessionHours } from '../../calendar/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import { type SessionDate, storeMetrics } from '../evaluate/metrics-source.ts';
import { type Claim, claimRun, lockClaim, withRenewedClaim } from './claim.ts';
import { completeRun, markRunMissed, postponeRun, type RunReport } from './end-run.ts';
import { type AbsentClose, readCloses } from './read-closes.ts';
import { parseSession } from './session-dates.ts';
import { storeNextMatches } from './store-matches.ts';
import { readUniverse, symbolsWithMetrics } from './universe.ts';

interface RunOptions {
  /**
   * Whether a later session has closed. The run then no longer waits for missing closes. It still waits for a provider
   * that fails, because that provider may have all closes.
   */
  readonly isPast: boolean;
  /** Whether the run ends even if a provider fails. */
  readonly isLastAttempt?: boolean | undefined;
  /** Whether a missed session is run again. */
  readonly includeMissed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How an attempt ended. `taken` means that the session is already finished or that another worker is running it. */
export type RunOutcome = 'taken' | 'waiting' | 'missed' | 'completed';

/**
 * Attempts to run a session: reads the closes that are still missing, and evaluates the filters if all closes have
 * arrived or the wait is over. After an interruption, the next attempt continues with the stored metrics.
 */
export async function runSession(
  context: ScreenerRunContext,
  session: SessionDate,
  { isPast, isLastAttempt = false, includeMissed = false, signal }: RunOptions,
): Promise<RunOutcome> {
  const { database, clock, log } = context;
  const claim = await claimRun(database, clock, session, { includeMissed });
  if (claim === null) return 'taken';
  return withRenewedClaim(database, claim, signal, async (held) => {
    const { report, missing, hasProviderFailed } = await readMissingCloses(context, claim, held);
    const closes = (await symbolsWithMetrics(database, session)).length;
    const awaitsProvider = isPast && hasProviderFailed && !isLastAttempt;
    if (closes === 0 && isPast && !awaitsProvider) {
      return end('missed', report, () => markRunMissed(database, clock, claim, report));
    }
    const deadline = waitDeadline({
      session: parseSession(session),
      closes,
      missing,
      waitMinutes: context.waitMinutes,
    });
    const mustWait = awaitsProvider || (!isPast && clock.now().getTime() < deadline);
    if (closes === 0 || mustWait) return end('waiting', report, () => postponeRun(database, clock, claim, report));
    await evaluateAllFilters(context, claim, held);
    return end('completed', report, () => complete(context, claim, report, isPast));
  });

  async function end(outcome: RunOutcome, { missing, providers }: RunReport, write: () => Promise<void>) {
    await write();
    // A waiting run is attempted every ten minutes, for days if no provider has bars.
    const level = outcome === 'waiting' ? 'debug' : 'info';
    log[level]({ session, outcome, missing: missing.length, providers }, 'screener run');
    return outcome;
  }
}

interface ClosesReport {
  readonly report: RunReport;
  readonly missing: MissingCloses;
  /** Whether a provider failed to serve a shared symbol. */
  readonly hasProviderFailed: boolean;
}

/** Reads the closes that are not stored yet, and stores their metrics. */
async function readMissingCloses(
  context: ScreenerRunContext,
  claim: Claim,
  signal: AbortSignal,
): Promise<ClosesReport> {
  const { database, clock, market } = context;
  const session = parseSession(claim.session);
  const stored = new Set(await symbolsWithMetrics(database, claim.session));
  const universe = await readUniverse(context, session, signal);
  const absent: AbsentClose[] = [];
  const providers = new Set<string>();
  for (const group of [universe.trusted, universe.filterOnly]) {
    const symbols = group.filter((symbol) => !stored.has(symbol));
    const request = { symbols, session, universe, at: clock.now().getTime(), signal };
    for await (const batch of readCloses(market, request)) {
      await database.transaction(async (tx) => {
        await lockClaim(tx, claim);
        await storeMetrics(tx, batch.rows);
      });
      absent.push(...batch.absent);
      for (const provider of batch.providers) providers.add(provider);
    }
  }
  const shared = absent.filter(({ symbol }) => universe.isShared(symbol));
  // The run does not wait for a symbol that only filters list and that no provider has served, because it may not
  // exist.
  const others = absent.filter(({ symbol, isTraded }) => isTraded && !universe.isShared(symbol));
  return {
    report: { missing: shared.map(({ symbol }) => symbol).sort(), providers: [...providers] },
    missing: { shared: shared.length, others: others.length },
    hasProviderFailed: shared.some(({ hasFailed }) => hasFailed),
  };
}

/**
 * Evaluates all filters, one batch per transaction, because on the embedded database every other statement waits for a
 * transaction.
 */
async function evaluateAllFilters(
  { database, log }: ScreenerRunContext,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    signal.throwIfAborted();
    const from: string = after;
    after = await database.transaction(async (tx) => {
      await lockClaim(tx, claim);
      return storeNextMatches(tx, claim.session, from, log);
    });
  }
}

async function complete(
  { database, clock, onRunCompleted }: ScreenerRunContext,
  claim: Claim,
  report: RunReport,
  isPast: boolean,
) {
  await database.transaction(async (tx) => {
    await completeRun(tx, clock, claim, report);
    await onRunCompleted(tx, { session: claim.session, isPast });
  });
}

/** The number of closes that have not arrived. */
interface MissingCloses {
  /** Closes of symbols that all filters can match. */
  readonly shared: number;
  /** Closes of symbols that only filters list. */
  readonly others: number;
}

interface WaitState {
  readonly session: number;
  /** The number of closes that have arrived. */
  readonly closes: number;
  readonly missing: MissingCloses;
  /** The longest wait after the close of the session, in minutes. */
  readonly waitMinutes: number;
}

/**
 * On any day, some of thousands of symbols are not traded. If at most this share of the closes is missing, a long wait
 * is not worthwhile.
 */
const FEW_MISSING = 0.01;
const FEW_MISSING_WAIT_MINUTES = 60;

/** Returns the instant until which a run waits for closes; minus infinity if none is missing. */
export function waitDeadline({ session, closes, missing: { shared, others }, waitMinutes }: WaitState): number {
  if (shared + others === 0) return Number.NEGATIVE_INFINITY;
  const areManyMissing = shared > FEW_MISSING * (closes + shared);
  const minutes = areManyMissing ? waitMinutes : Math.min(waitMinutes, FEW_MISSING_WAIT_MINUTES);
  return sessionHours(session).close + minutes * MINUTE_MS;
}
