import { malformed, type ProviderClient, parseJsonArray, readRecord } from '../../../platform/index.ts';
import type { ListedInstrument } from '../provider.ts';
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
    for (const batch of await requestAssets(session, status, http)) {
      const instruments = once.select(batch);
      if (instruments.length > 0) yield instruments;
    }
  }
}

/** Returns the assets in the batches in which the reply was parsed. */
async function requestAssets(
  session: AlpacaSession,
  status: keyof typeof STATUSES,
  http: ProviderClient,
): Promise<readonly ListedInstrument[][]> {
  const url = `${session.tradingUrl}/v2/assets?${new URLSearchParams({ status, asset_class: 'us_equity' })}`;
  const limits = { maxBytes: MAX_LISTING_BYTES, attemptMs: LISTING_MS };
  const accept = async (bytes: Buffer) => {
    const batches: ListedInstrument[][] = [];
    try {
      for await (const batch of parseJsonArray(bytes)) {
        batches.push(batch.flatMap((asset) => readAsset(session, asset, status)));
      }
    } catch (error) {
      throw error instanceof SyntaxError ? malformed(ALPACA, 'not JSON') : error;
    }
    return batches;
  };
  try {
    return await http.getBytes(url, { headers: session.headers, ...limits, accept });
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
