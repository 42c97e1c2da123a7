import { type ProviderClient, parseJsonArray } from '../../../platform/index.ts';
import type { ListedInstrument } from '../provider.ts';
import { malformed, readRecord } from '../read-reply.ts';
import { canonicalStockSymbol, exchangeName, ListedOnce, otherSpellings } from '../stocks/stock-symbols.ts';
import { ALPACA, type AlpacaSession, toKeyError } from './alpaca-session.ts';

const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const LISTING_MS = 120_000;
/** The listing has the symbols of bars as Alpaca writes them. Other symbols are CUSIP numbers of removed assets. */
const STATUSES = { active: 'active', inactive: 'delisted' } as const;

/** Yields the assets of the account: stocks and ETFs, first the active ones. */
export async function* readAssets(
  session: AlpacaSession,
  http: ProviderClient,
): AsyncGenerator<readonly ListedInstrument[]> {
  const once = new ListedOnce();
  for (const status of ['active', 'inactive'] as const) {
    const bytes = await requestAssets(session, status, http);
    try {
      for await (const batch of parseJsonArray(bytes)) {
        const instruments = once.select(batch.flatMap((asset) => readAsset(session, asset, status)));
        if (instruments.length > 0) yield instruments;
      }
    } catch (error) {
      throw error instanceof SyntaxError ? malformed(ALPACA, 'not JSON') : error;
    }
  }
}

async function requestAssets(session: AlpacaSession, status: string, http: ProviderClient): Promise<Buffer> {
  const url = `${session.tradingUrl}/v2/assets?${new URLSearchParams({ status, asset_class: 'us_equity' })}`;
  const limits = { maxBytes: MAX_LISTING_BYTES, attemptMs: LISTING_MS };
  try {
    return await http.getBytes(url, { headers: session.headers, ...limits });
  } catch (error) {
    throw toKeyError(error);
  }
}

/** Returns the asset, or nothing if the account cannot read its bars. */
function readAsset(session: AlpacaSession, value: unknown, status: keyof typeof STATUSES): ListedInstrument[] {
  const asset = readRecord(ALPACA, value);
  const { symbol, name, exchange } = asset;
  if (typeof symbol !== 'string' || asset.class !== 'us_equity' || asset.status !== status) {
    throw malformed(ALPACA, 'not a requested asset');
  }
  // The bars of OTC stocks are in a feed of their own.
  if (canonicalStockSymbol(symbol) !== symbol || (exchange === 'OTC') !== (session.feed === 'otc')) return [];
  return [
    {
      symbol,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : symbol,
      aliases: otherSpellings(symbol),
      exchange: exchangeName(exchange),
      class: 'stock',
      units: 'USD',
      status: STATUSES[status],
    },
  ];
}
