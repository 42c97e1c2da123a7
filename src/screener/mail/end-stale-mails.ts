import type { ScreenerContext } from '../context.ts';
import type { ScreenerTables } from '../tables.ts';
import { MAIL_LIFETIME_MS } from './obstacle.ts';

const HOUR = 3_600_000;
const KEPT_MS = 400 * 24 * HOUR;

/**
 * Says what became of mails that no job is about any more: the queue gives a job up that fails again and again, and
 * forgets it in the end. Mails of more than a year ago are removed.
 */
export async function endStaleMails({ database, clock }: Pick<ScreenerContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const mails = database.query<ScreenerTables>();
  await mails
    .updateTable('screener_mail')
    .set({ state: 'unknown', reason: 'interrupted', updated_at: now })
    .where('state', '=', 'sending')
    .where('updated_at', '<', before(HOUR))
    .execute();
  await mails
    .updateTable('screener_mail')
    .set({ state: 'failed', reason: 'too_late', updated_at: now })
    .where('state', '=', 'queued')
    .where('created_at', '<', before(MAIL_LIFETIME_MS))
    .execute();
  await mails.deleteFrom('screener_mail').where('created_at', '<', before(KEPT_MS)).execute();
}
