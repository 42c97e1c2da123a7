import { sql } from 'kysely';
import { latestClosedSession, MINUTE_MS, sessionsBetween } from '../../calendar/index.ts';
import type { Queue, QueueDefinition } from '../../platform/index.ts';
import type { ScreenerRunContext } from '../context.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import { latestSessionNotStorable, sessionAlreadyEvaluated } from '../faults.ts';
import type { ScreenerRunTable, ScreenerTables } from '../tables.ts';
import { claimRun } from './claim.ts';
import { markRunMissed } from './end-run.ts';
import { runFirstSession } from './run-first.ts';
import { type RunOutcome, runSession } from './run-session.ts';
import { firstRecentSession, formatSession, parseSession } from './session-dates.ts';
import { latestSession } from './stored-sessions.ts';

/** Jobs are not retried, because the next scheduled job makes up for a failed one. */
export const SCREENER_QUEUE: QueueDefinition = {
  name: 'screener',
  retryLimit: 0,
  policy: 'singleton',
  expireInSeconds: 4 * 3_600,
};

/**
 * Starts running due sessions every ten minutes. If no session was ever evaluated, a job starts now, so that a new
 * installation need not wait for its first session.
 */
export async function startScreenerRuns(context: ScreenerRunContext, queue: Queue): Promise<void> {
  const { database } = context;
  await queue.work(SCREENER_QUEUE.name, {}, ({ signal }) => runDueSessions(context, signal));
  await queue.schedule(SCREENER_QUEUE.name, '*/10 * * * *');
  if ((await latestSession(database)) === null) await queue.enqueue(database, SCREENER_QUEUE.name, {});
}

/**
 * Runs the latest session whose closes are final. Before it, runs earlier sessions that are unfinished because closes
 * were missing or no worker was running; these runs do not wait for closes.
 */
export async function runDueSessions(context: ScreenerRunContext, signal?: AbortSignal): Promise<void> {
  const { database, log } = context;
  const due = latestDueSession(context);
  const firstRecent = formatSession(firstRecentSession(parseSession(due)));
  const runs = await readRuns(context, firstRecent);
  for (const session of listUnfinished(runs, due)) {
    const isLastAttempt = session < firstRecent;
    // The failure of a past session must not prevent later sessions from running.
    await runSession(context, session, { isPast: true, isLastAttempt, signal }).catch((error) => {
      signal?.throwIfAborted();
      log.error({ err: error, session }, 'screener run of an earlier session failed');
      return isLastAttempt ? markMissed(context, session) : undefined;
    });
  }
  // If the clock was set back, `due` may be before the latest session. If the clock was ahead, `due` may be marked as
  // missed.
  const latest = await latestSession(database);
  if (latest === null || latest < due) await runSession(context, due, { isPast: false, includeMissed: true, signal });
  await runFirstSession(context, signal);
}

/** Returns the latest session whose closes are final. */
function latestDueSession({ clock, lagMinutes }: Pick<ScreenerRunContext, 'clock' | 'lagMinutes'>): SessionDate {
  return formatSession(latestClosedSession(clock.now().getTime(), lagMinutes * MINUTE_MS));
}

/** A run waits up to a week for a provider that fails, so every run of a running worker completes within these days. */
const SOON_DAYS = 14;

interface Runs {
  /** The runs of a session and all later ones, and unfinished runs before it. */
  readonly rows: readonly Pick<ScreenerRunTable, 'session' | 'state'>[];
  /** The first session that was evaluated soon after its close, if any. */
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
    // The run of a session long ago does not show that a worker was running at that time.
    .where(sql<boolean>`completed_at < session + ${SOON_DAYS}::int`)
    .orderBy('session')
    .limit(1)
    .executeTakeFirst();
  return { rows, first: first?.session ?? null };
}

/** Returns the unfinished sessions before `due`, and recent sessions that have no run because no worker was running. */
function listUnfinished({ rows, first }: Runs, due: SessionDate): SessionDate[] {
  const started = rows.filter(({ state }) => state === 'waiting' || state === 'running').map(({ session }) => session);
  const recorded = new Set(rows.map(({ session }) => session));
  const recent = Array.from(sessionsBetween(firstRecentSession(parseSession(due)), parseSession(due)), formatSession);
  const skipped = recent.filter((session) => first !== null && session > first && !recorded.has(session));
  return [...new Set([...started, ...skipped])].filter((session) => session < due).sort();
}

async function markMissed({ database, clock }: ScreenerRunContext, session: SessionDate): Promise<void> {
  const claim = await claimRun(database, clock, session);
  if (claim) await markRunMissed(database, clock, claim, { missing: [], providers: [] });
}

/**
 * Runs a past session on request, even a missed one, and stores its results. Does not wait for closes. If a provider
 * fails, the session stays `waiting` for the daily run.
 */
export async function runPastSession(
  context: ScreenerRunContext,
  session: SessionDate,
  signal?: AbortSignal,
): Promise<RunOutcome> {
  // The run of the latest session may still be waiting for closes, and it sends emails.
  if (session >= latestDueSession(context)) throw latestSessionNotStorable();
  const outcome = await runSession(context, session, { isPast: true, includeMissed: true, signal });
  if (outcome === 'taken') throw sessionAlreadyEvaluated(session);
  return outcome;
}
