import { DAY_MS, sessionsBetween } from '../../calendar/index.ts';
import { openProviderClient } from '../../platform/index.ts';
import type { BarTable } from '../bars.ts';
import { collectDays } from '../providers/collect-days.ts';
import type { BulkProvider } from '../providers/provider.ts';
import { NO_BARS } from '../store/bar-tables.ts';
import { checkDateAt } from '../store/bar-times.ts';
import type { BarStoreContext } from '../store/read-series.ts';
import { readDaysOfMany, storeDays } from '../store/store-days.ts';
import type { DaysRequest } from '../symbol-days.ts';

/**
 * Returns the days of symbols that are not read in bulk beforehand, from the store or with one query to the provider,
 * whose reply is then stored.
 */
export async function readUnlistedDays(
  context: BarStoreContext,
  provider: BulkProvider,
  request: DaysRequest,
  totalMs: number,
): Promise<ReadonlyMap<string, BarTable>> {
  const { start, end, at, signal } = request;
  const session = sessionsBetween(start, end - DAY_MS).at(-1) ?? end;
  // A symbol in another spelling would be stored twice.
  const storable = request.symbols.filter((symbol) => provider.canonicalSymbol(symbol) === symbol);
  const found = new Map<string, BarTable>();
  for (const [symbol, days] of await readDaysOfMany(context, provider, storable, { start, end })) {
    const isCurrent = days.from <= start && days.to > session && days.checkedOn === checkDateAt(at);
    if (isCurrent && days.bars.timestamps.length > 0) found.set(symbol, days.bars);
  }
  const symbols = request.symbols.filter((symbol) => !found.has(symbol));
  if (symbols.length === 0) return found;
  const http = openProviderClient(context, provider, { signal, totalMs });
  const read = await collectDays(provider, { symbols, adjustment: 'split', start, end }, { http, at, signal });
  const rows = storable
    .filter((symbol) => !found.has(symbol))
    .map((symbol) => [symbol, read.get(symbol) ?? NO_BARS] as const);
  await storeDays(context, provider, new Map(rows), { start, end, at });
  for (const [symbol, bars] of read) found.set(symbol, bars);
  return found;
}
