import { createLog, type Database, type Mailer, type Queue } from '../../../src/platform/index.ts';
import { sendScreenerMail } from '../../../src/screener/index.ts';
import { planMails } from '../../../src/screener/mail/plan-mails.ts';
import type { ScreenerTables } from '../../../src/screener/tables.ts';
import { SITE_URL } from '../api/api.ts';
import { makeAccount } from '../identity/callers.ts';
import { type MovableClock, movableClock, movableIdentity } from '../identity/identity.ts';
import { completeRun, insertMetrics, type MetricsInput, makeFilter } from './filters.ts';

export const SESSION = '2026-03-09';

const METRICS: Readonly<Record<string, MetricsInput>> = {
  AAPL: { close: 172.31, recent_closes: [170, 171.5, 169, 172.31] },
  MSFT: { close: 410.5, recent_closes: [400, 410.5] },
  PENNY: { close: 2 },
};

export interface QueuedMail {
  readonly mailId: string;
  readonly accountId: string;
  readonly email: string;
  readonly filterId: string;
}

/** Makes an account whose filter has a match, and its queued mail. */
export async function makeQueuedMail(
  database: Database,
  clock: MovableClock = movableClock(`${SESSION}T21:00:00.000Z`),
  metrics = METRICS,
): Promise<QueuedMail> {
  const { id: accountId, email } = await makeAccount(movableIdentity(database), { password: null });
  const { id: filterId } = await makeFilter(database, accountId);
  await insertMetrics(database, SESSION, metrics);
  let mailId = '';
  await completeRun(database, SESSION, async (tx, run) => {
    [mailId = ''] = await planMails(tx, { ...run, perDay: 10, now: clock.now() });
  });
  return { mailId, accountId, email, filterId };
}

/** Stores no jobs. Tests decide when an email is tried again. */
const NO_QUEUE = { enqueue: async () => null, complete: async () => true };

/** Sends an email as the worker does. */
export function sendMail(
  database: Database,
  mailId: string,
  mailer: Mailer,
  clock: MovableClock = movableClock(`${SESSION}T21:01:00.000Z`),
  queue: Pick<Queue, 'enqueue' | 'complete'> = NO_QUEUE,
): Promise<void> {
  const delivery = { mailer, siteUrl: () => SITE_URL, log: createLog('silent') };
  return sendScreenerMail({ database, clock, queue }, { mailId, job: { id: 'job', attempt: 0 } }, delivery);
}

/** Reads state, reason and attempts of an email. */
export async function readMailRow(database: Database, mailId: string) {
  const { state, reason, attempts } = await database
    .query<ScreenerTables>()
    .selectFrom('screener_mail')
    .select(['state', 'reason', 'attempts'])
    .where('id', '=', mailId)
    .executeTakeFirstOrThrow();
  return [state, reason, attempts];
}
