import type { JobAttempt, Queue, QueueDefinition } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { type Delivery, sendLink } from './send-link.ts';

/**
 * If the mail server is unavailable, an email is retried for about as long as the shortest-lived link works: after half a
 * minute, then after one minute, two, four and so on.
 */
export const MAIL_QUEUE: QueueDefinition = {
  name: 'mail',
  retryLimit: 7,
  retryDelaySeconds: 30,
  retryBackoff: true,
  expireInSeconds: 120,
  deleteAfterSeconds: 24 * 3_600,
};

/** Number of emails that one process sends at the same time. */
const CONCURRENCY = 2;

/**
 * The data of a job: the id of the object that the email is about, under the name of its kind. It does not contain the
 * secret, which is generated when the email is sent.
 */
type MailJob = Readonly<Record<string, string>>;

/** Sends the email about the object with this id. Throws if the job should be retried. */
export type SendMail = (id: string, job: JobAttempt) => Promise<void>;

const LINK_MAILS = 'linkId';

/** Returns the function with which a request queues an email in its own transaction. */
export function createMailRequester(queue: Queue): IdentityContext['requestMail'] {
  return async (tx, linkId) => {
    await queue.enqueue(tx, MAIL_QUEUE.name, { [LINK_MAILS]: linkId } satisfies MailJob);
  };
}

/**
 * Starts the worker that sends the queued emails.
 *
 * @param others the functions that send the emails of higher floors, by the name of their kind
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
      // During an upgrade, a newer build can queue an unknown kind. A worker of that build can take a later attempt.
      if (!Object.hasOwn(senders, kind)) throw new Error(`This worker cannot send emails of the kind ${kind}.`);
      await senders[kind]?.(id, job);
    }
  });
}
