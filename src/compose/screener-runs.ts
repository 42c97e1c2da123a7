import { licensesWithout } from '../access/index.ts';
import type { MarketProvider } from '../market/index.ts';
import { type Queue, systemClock } from '../platform/index.ts';
import { queueMailsThrough, type ScreenerRunContext } from '../screener/index.ts';
import { openMarket } from './data.ts';
import type { Foundation } from './foundation.ts';

/** What the screener's runs work with. Without a queue they send no mails. */
export function screenerRunsOf(
  { config, database, log }: Pick<Foundation, 'config' | 'database' | 'log'>,
  { providers = [], queue }: { readonly providers?: readonly MarketProvider[]; readonly queue?: Queue },
): ScreenerRunContext {
  const licenses = licensesWithout(config.deniedLicenses);
  return {
    database,
    clock: systemClock,
    log,
    market: openMarket({ database, clock: systemClock, providers, licenses }).market,
    lagMinutes: config.screenerLagMinutes,
    waitMinutes: config.screenerWaitMinutes,
    onRunCompleted:
      queue === undefined
        ? async () => {}
        : queueMailsThrough(queue, { clock: systemClock, perDay: config.screenerMailsPerDay }),
  };
}
