import { sessionsBetween } from '../../calendar/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerRunTable, ScreenerTables } from '../tables.ts';
import { claimRun } from './claim.ts';
import type { ScreenerRunContext } from './context.ts';
import { missRun } from './end-run.ts';
import { latestSession } from './latest-session.ts';
import { runSession } from './run-session.ts';
import { dueSession, firstLately, sessionDate, sessionDay } from './session-dates.ts';

/**
 * Runs the latest session whose final close is known, and before it those since the last run that nobody has ended, because
 * closes had not come or no worker was there: what has not come by now will not be waited for.
 */
export async function runDue(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const { database, log } = context;
  const due = latestDue(context);
  const week = sessionDate(firstLately(sessionDay(due)));
  const runs = await readRuns(context, week);
  for (const session of unfinished(runs, due)) {
    const isFinal = session < week;
    // What is wrong with one that is over must not keep all later ones from being run.
    await runSession(context, session, { isLast: true, isFinal, signal }).catch((error) => {
      signal?.throwIfAborted();
      log.error({ err: error, session }, 'screener run of an earlier session failed');
      return isFinal ? giveUp(context, session) : undefined;
    });
  }
  // By a clock that was set back an earlier session may seem to be due, and one that was ahead may have given this one up.
  const latest = await latestSession(database);
  if (latest === null || latest < due) await runSession(context, due, { isLast: false, evenMissed: true, signal });
}

/** The latest session whose final close is known. */
export function latestDue({ clock, lagMinutes }: Pick<ScreenerRunContext, 'clock' | 'lagMinutes'>): SessionDate {
  return sessionDate(dueSession(clock.now().getTime(), lagMinutes * 60_000));
}

interface Runs {
  /** From a session on, and before it those that are not finished. */
  readonly rows: readonly Pick<ScreenerRunTable, 'session' | 'state'>[];
  /** The first session that was ever evaluated; null: none yet. */
  readonly first: SessionDate | null;
}

async function readRuns({ database }: ScreenerRunContext, from: SessionDate): Promise<Runs> {
  const runs = database.query<ScreenerTables>().selectFrom('screener_run');
  const rows = await runs
    .select(['session', 'state'])
    .where((where) => where.or([where('session', '>=', from), where('state', 'in', ['waiting', 'running'])]))
    .execute();
  const first = await runs
    .select('session')
    .where('state', '=', 'completed')
    .orderBy('session')
    .limit(1)
    .executeTakeFirst();
  return { rows, first: first?.session ?? null };
}

/** Sessions before one that wait to be ended and, of the last ones, those that went by while no worker was there. */
function unfinished({ rows, first }: Runs, due: SessionDate): SessionDate[] {
  const waiting = rows.filter(({ state }) => state === 'waiting' || state === 'running').map(({ session }) => session);
  const known = new Set(rows.map(({ session }) => session));
  const lately = Array.from(sessionsBetween(firstLately(sessionDay(due)), sessionDay(due)), sessionDate);
  const wentBy = lately.filter((session) => first !== null && session > first && !known.has(session));
  return [...new Set([...waiting, ...wentBy])].filter((session) => session < due).sort();
}

async function giveUp({ database, clock }: ScreenerRunContext, session: SessionDate): Promise<void> {
  const claim = await claimRun(database, clock, session);
  if (claim) await missRun(database, clock, claim, { missing: [], providers: [] });
}
