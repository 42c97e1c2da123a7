import type { SessionDate } from '../evaluate/metrics-source.ts';
import { type Claim, claimRun, holdClaim } from './claim.ts';
import type { ScreenerRunContext } from './context.ts';
import { completeRun, missRun, type RunNotes, waitForCloses } from './end-run.ts';
import { keepClaim } from './keep-claim.ts';
import { type Absent, readCloses } from './read-closes.ts';
import { sessionDay } from './session-dates.ts';
import { storeNextMatches } from './store-matches.ts';
import { storeMetrics } from './store-metrics.ts';
import { symbolsWithMetrics, universeOf } from './universe.ts';
import { type WaitedFor, waitsUntil } from './waits-until.ts';

export interface RunOptions {
  /**
   * A later session has closed: what has not come of this one is not waited for any more. A provider that fails is: it may
   * have had all closes for days.
   */
  readonly isLast: boolean;
  /** It is run for the last time, whatever fails. */
  readonly isFinal?: boolean | undefined;
  /** Whether one that was given up is run after all. */
  readonly evenMissed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How an attempt ended. `taken`: it was not ours to make. */
export type RunOutcome = 'taken' | 'waiting' | 'missed' | 'completed';

/**
 * Tries to run a session: reads the closes that have not come yet and, when all are there or have been waited for long
 * enough, finds what filters match. Whatever ends it half-way, the next attempt goes on from what is stored.
 */
export async function runSession(
  context: ScreenerRunContext,
  session: SessionDate,
  { isLast, isFinal = false, evenMissed = false, signal }: RunOptions,
): Promise<RunOutcome> {
  const { database, clock, log } = context;
  const claim = await claimRun(database, clock, session, { evenMissed });
  if (claim === null) return 'taken';
  const outcome = await keepClaim(database, claim, signal, async (held) => {
    const { notes, waitedFor, isFailing } = await readAll(context, claim, held);
    const there = (await symbolsWithMetrics(database, session)).length;
    const isHeldUp = isLast && isFailing && !isFinal;
    if (there === 0 && isLast && !isHeldUp) return end('missed', notes, () => missRun(database, clock, claim, notes));
    const until = waitsUntil({ session: sessionDay(session), there, waitedFor, waitMinutes: context.waitMinutes });
    const isPatient = isHeldUp || (!isLast && clock.now().getTime() < until);
    if (there === 0 || isPatient) return end('waiting', notes, () => waitForCloses(database, clock, claim, notes));
    await evaluateAll(context, claim, held);
    return end('completed', notes, () => complete(context, claim, notes, isLast));
  });
  return outcome;

  async function end(outcome: RunOutcome, { missing, providers }: RunNotes, write: () => Promise<void>) {
    await write();
    // Who waits looks every ten minutes, for days where nobody has bars.
    const level = outcome === 'waiting' ? 'debug' : 'info';
    log[level]({ session, outcome, missing: missing.length, providers }, 'screener run');
    return outcome;
  }
}

interface AllRead {
  readonly notes: RunNotes;
  readonly waitedFor: WaitedFor;
  /** Whether a provider has failed over what all may look at. */
  readonly isFailing: boolean;
}

async function readAll(context: ScreenerRunContext, claim: Claim, signal: AbortSignal): Promise<AllRead> {
  const { database, clock, market } = context;
  const session = sessionDay(claim.session);
  const stored = new Set(await symbolsWithMetrics(database, claim.session));
  const universe = await universeOf(context, session, signal);
  const absent: Absent[] = [];
  const providers = new Set<string>();
  for (const group of [universe.trusted, universe.named]) {
    const symbols = group.filter((symbol) => !stored.has(symbol));
    const wanted = { symbols, session, universe, at: clock.now().getTime(), signal };
    for await (const { rows, absent: some, providers: served } of readCloses(market, wanted)) {
      await database.transaction(async (tx) => {
        await holdClaim(tx, claim);
        await storeMetrics(tx, rows);
      });
      absent.push(...some);
      for (const provider of served) providers.add(provider);
    }
  }
  const shared = absent.filter(({ symbol }) => universe.isShared(symbol));
  // What only filters name, and was never served, may be anything: nobody waits for it.
  const others = absent.filter(({ symbol, isTraded }) => isTraded && !universe.isShared(symbol));
  return {
    notes: { missing: shared.map(({ symbol }) => symbol).sort(), providers: [...providers] },
    waitedFor: { shared: shared.length, others: others.length },
    isFailing: shared.some(({ hasFailed }) => hasFailed),
  };
}

/** Some filters a transaction: on the embedded database everyone else waits for each. */
async function evaluateAll({ database, log }: ScreenerRunContext, claim: Claim, signal: AbortSignal): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    signal.throwIfAborted();
    const from: string = after;
    after = await database.transaction(async (tx) => {
      await holdClaim(tx, claim);
      return storeNextMatches(tx, claim.session, from, log);
    });
  }
}

async function complete(
  { database, clock, onRunCompleted }: ScreenerRunContext,
  claim: Claim,
  notes: RunNotes,
  isOver: boolean,
) {
  await database.transaction(async (tx) => {
    await completeRun(tx, clock, claim, notes);
    await onRunCompleted(tx, { session: claim.session, isOver });
  });
}
