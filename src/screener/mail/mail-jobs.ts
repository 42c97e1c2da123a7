import { MAIL_QUEUE } from '../../identity/index.ts';
import type { Clock, JobAttempt, Queue, Transaction } from '../../platform/index.ts';
import type { OnRunCompleted } from '../run/context.ts';
import { planMails } from './plan-mails.ts';

/** What the mails of this folder are called in the queue of mails. */
export const SCREENER_MAILS = 'screenerMailId';

/** After those that somebody waits for at a screen. */
const PRIORITY = -1;

export interface MailPlan {
  readonly clock: Clock;
  /** Mails for one session, in all. */
  readonly perDay: number;
}

/** What follows a completed run: the mails of the session, in the transaction of the run. */
export function queueMailsThrough(queue: Pick<Queue, 'enqueueAll'>, { clock, perDay }: MailPlan): OnRunCompleted {
  return async (tx, run) => {
    const mailIds = await planMails(tx, { ...run, perDay, now: clock.now() });
    // All at once: on the embedded database everybody waits for this transaction.
    const jobs = mailIds.map((id) => ({ [SCREENER_MAILS]: id }));
    await queue.enqueueAll(tx, MAIL_QUEUE.name, jobs, { priority: PRIORITY });
  };
}

/**
 * Gives a mail that was put back its next job, in the place of the one that is at work: in the transaction that puts the
 * mail back, so that there is one job for it and never two. A job that was taken away meanwhile comes back by itself.
 */
export async function queueAgain(
  queue: Pick<Queue, 'enqueue' | 'complete'>,
  tx: Transaction,
  { mailId, job, startAfter }: { readonly mailId: string; readonly job: JobAttempt; readonly startAfter: Date },
): Promise<void> {
  if (!(await queue.complete(tx, MAIL_QUEUE.name, job))) return;
  await queue.enqueue(tx, MAIL_QUEUE.name, { [SCREENER_MAILS]: mailId }, { priority: PRIORITY, startAfter });
}
