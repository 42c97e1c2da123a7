import type { JobAttempt, Queue, Transaction } from '../../platform/index.ts';
import { MAIL_QUEUE } from './mail-worker.ts';

/** Lower than the priority of emails that a person is waiting for, such as sign-in links. */
export const LOW_MAIL_PRIORITY = -1;

/**
 * Minutes between attempts at an email that has its own state. The first intervals are short, for servers that defer
 * unknown senders (greylisting). Together, the intervals span most of a day, so that no email is lost if a server is down
 * for an evening.
 */
export const MAIL_RETRY_MINUTES: readonly number[] = [1, 5, 15, 60, 120, 240, 480];

interface NextJob {
  /** The data of both jobs. */
  readonly data: Readonly<Record<string, string>>;
  readonly job: JobAttempt;
  readonly startAfter: Date;
}

/**
 * Replaces the current job of an email by the next one, in the transaction that returns the email to `queued`, so that
 * an email always has exactly one job. Does nothing if the queue has already taken the job from this worker, because
 * the queue then retries it.
 */
export async function requeueMail(
  queue: Pick<Queue, 'enqueue' | 'complete'>,
  tx: Transaction,
  { data, job, startAfter }: NextJob,
): Promise<void> {
  if (!(await queue.complete(tx, MAIL_QUEUE.name, job))) return;
  await queue.enqueue(tx, MAIL_QUEUE.name, data, { priority: LOW_MAIL_PRIORITY, startAfter });
}
