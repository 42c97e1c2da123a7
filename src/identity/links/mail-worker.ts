import type { JobAttempt, Queue, QueueDefinition } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { type Delivery, sendLink } from './send-link.ts';

/**
 * An unavailable mail server is retried for about as long as the shortest link works: after half a minute, one minute,
 * two, four and so on.
 */
export const MAIL_QUEUE: QueueDefinition = {
  name: 'mail',
  retryLimit: 7,
  retryDelaySeconds: 30,
  retryBackoff: true,
  expireInSeconds: 120,
  deleteAfterSeconds: 24 * 3_600,
};

/** Mails that one process sends at the same time. */
const CONCURRENCY = 2;

/**
 * The data of a job: the id of the mail's subject under the name of its kind. It never contains the secret, which is
 * generated when the mail is sent.
 */
type MailJob = Readonly<Record<string, string>>;

/** Sends the mail about the subject with this id. Throws when the job should be retried. */
export type SendMail = (id: string, job: JobAttempt) => Promise<void>;

const LINK_MAILS = 'linkId';

/** Returns the function by which a request queues a mail in its own transaction. */
export function requestMailThrough(queue: Queue): IdentityContext['requestMail'] {
  return async (tx, linkId) => {
    await queue.enqueue(tx, MAIL_QUEUE.name, { [LINK_MAILS]: linkId } satisfies MailJob);
  };
}

/**
 * Starts sending the queued mails.
 *
 * @param others sends the mails of higher floors, by the name under which a job has their id
 */
export async function startMailWorker(
  context: IdentityContext,
  queue: Queue,
  delivery: Delivery,
  others: Readonly<Record<string, SendMail>> = {},
): Promise<void> {
  const senders: Readonly<Record<string, SendMail>> = {
    ...others,
    [LINK_MAILS]: (linkId) => sendLink(context, { linkId }, delivery),
  };
  await queue.work<MailJob>(MAIL_QUEUE.name, { concurrency: CONCURRENCY }, async ({ data, ...job }) => {
    for (const [kind, id] of Object.entries(data)) {
      // During an upgrade a newer build can queue an unknown kind. A worker of that build takes it at the next attempt.
      if (!Object.hasOwn(senders, kind)) throw new Error(`This worker cannot send mails of the kind ${kind}.`);
      await senders[kind]?.(id, job);
    }
  });
}
