import type { JobAttempt, Queue, QueueDefinition } from '../../platform/index.ts';
import type { IdentityContext } from '../context.ts';
import { type Delivery, sendLink } from './send-link.ts';

/**
 * A mail server that is away is tried again for about as long as the shortest link works: after half a minute, one
 * minute, two, four and so on.
 */
export const MAIL_QUEUE: QueueDefinition = {
  name: 'mail',
  retryLimit: 7,
  retryDelaySeconds: 30,
  retryBackoff: true,
  expireInSeconds: 120,
  deleteAfterSeconds: 24 * 3_600,
};

/** Mails that are sent at the same time by one process. */
const CONCURRENCY = 2;

/**
 * What a job of the queue carries: the id of what the mail is about, under the name of its kind. Never the secret, which
 * is made when the mail is.
 */
type MailJob = Readonly<Record<string, string>>;

/** Sends the mail about the thing with this id. Throws when the job is to be tried again. */
export type SendMail = (id: string, job: JobAttempt) => Promise<void>;

const LINK_MAILS = 'linkId';

/** How a request has a mail sent: through its own transaction. */
export function requestMailThrough(queue: Queue): IdentityContext['requestMail'] {
  return async (tx, linkId) => {
    await queue.enqueue(tx, MAIL_QUEUE.name, { [LINK_MAILS]: linkId } satisfies MailJob);
  };
}

/**
 * Starts sending the mails that were asked for.
 *
 * @param others how mails of higher floors are sent, by the name under which a job carries their id
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
      // One of a newer build, in the middle of an upgrade: a worker of that build takes it at the next attempt.
      if (!Object.hasOwn(senders, kind)) throw new Error(`No mails of the kind ${kind} are known here.`);
      await senders[kind]?.(id, job);
    }
  });
}
