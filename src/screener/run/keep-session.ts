import { Fault } from '../../contract/index.ts';
import type { SessionDate } from '../evaluate/metrics-source.ts';
import type { ScreenerRunContext } from './context.ts';
import { latestDue } from './run-due.ts';
import { type RunOutcome, runSession } from './run-session.ts';

/**
 * Runs a past session for whoever asks for it, also one that was given up. Closes are not waited for; where a provider
 * fails it is left to the daily run (`waiting`).
 */
export async function keepSession(
  context: ScreenerRunContext,
  session: SessionDate,
  signal?: AbortSignal,
): Promise<RunOutcome> {
  if (session >= latestDue(context)) {
    // It may be waiting for closes, and has mails.
    throw new Fault('INVALID_REQUEST', 'keep: the latest session is evaluated by the daily run. Name an earlier one.');
  }
  const outcome = await runSession(context, session, { isLast: true, evenMissed: true, signal });
  if (outcome !== 'taken') return outcome;
  throw new Fault(
    'CONFLICT',
    `keep: ${session} is evaluated already, or is just being. What is stored stays as it is.`,
  );
}
