import { createLog, type Database, type Mailer, type Queue } from '../../../src/platform/index.ts';
import { sendScreenerMail } from '../../../src/screener/index.ts';
import { planMails } from '../../../src/screener/mail/plan-mails.ts';
import type { ScreenerTables } from '../../../src/screener/tables.ts';
import { SITE_URL } from '../api/api.ts';
import { makeAccount } from '../identity/callers.ts';
import { type MovableClock, movableClock, movableIdentity } from '../identity/identity.ts';
import { completeRun, makeFilter, type Numbers, storeNumbers } from './screener.ts';

export const SESSION = '2026-03-09';

const NUMBERS: Readonly<Record<string, Numbers>> = {
  AAPL: { close: 172.31, recent_closes: [170, 171.5, 169, 172.31] },
  MSFT: { close: 410.5, recent_closes: [400, 410.5] },
  PENNY: { close: 2 },
};

export interface WaitingMail {
  readonly mailId: string;
  readonly accountId: string;
  readonly email: string;
  readonly filterId: string;
}

/** An account whose filter has matched, with the mail that is about to be sent. */
export async function waitingMail(
  database: Database,
  clock: MovableClock = movableClock(`${SESSION}T21:00:00.000Z`),
  numbers = NUMBERS,
): Promise<WaitingMail> {
  const { id: accountId, email } = await makeAccount(movableIdentity(database), { password: null });
  const { id: filterId } = await makeFilter(database, accountId);
  await storeNumbers(database, SESSION, numbers);
  let mailId = '';
  await completeRun(database, SESSION, async (tx, run) => {
    [mailId = ''] = await planMails(tx, { ...run, perDay: 10, now: clock.now() });
  });
  return { mailId, accountId, email, filterId };
}

/** A queue that keeps nothing: when a mail is tried again is for the test to say. */
const NO_QUEUE = { enqueue: async () => null, complete: async () => true };

/** Sends a mail as the worker does. */
export function sendOnce(
  database: Database,
  mailId: string,
  mailer: Mailer,
  clock: MovableClock = movableClock(`${SESSION}T21:01:00.000Z`),
  queue: Pick<Queue, 'enqueue' | 'complete'> = NO_QUEUE,
): Promise<void> {
  const delivery = { mailer, siteUrl: () => SITE_URL, log: createLog('silent') };
  return sendScreenerMail({ database, clock, queue }, { mailId, job: { id: 'job', attempt: 0 } }, delivery);
}

/** What is recorded of a mail. */
export async function recorded(database: Database, mailId: string) {
  const { state, reason, attempts } = await database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(['state', 'reason', 'attempts'])
    .where('id', '=', mailId)
    .executeTakeFirstOrThrow();
  return [state, reason, attempts];
}
