import { isRecord } from '../../../platform/index.ts';
import type { HistoryStarts } from './instruments.ts';

/** Returns when the histories of an instrument begin; null if a reply does not describe the instrument. */
export function parseHistoryStarts(reply: unknown, code: string): HistoryStarts | null {
  if (!isRecord(reply) || reply.code !== code || !Array.isArray(reply.histories)) return null;
  const histories: readonly unknown[] = reply.histories;
  const startOf = (period: string): number | null => {
    const history = histories.find((one) => isRecord(one) && one.period === period);
    return isRecord(history) && Number.isSafeInteger(history.from) ? Number(history.from) : null;
  };
  const [hours, days] = [startOf('HOUR'), startOf('DAY')];
  // The start of the minutes is not read: for coins the feed states a date on which no coin existed.
  return hours === null || days === null ? null : { intraday: hours, days };
}
