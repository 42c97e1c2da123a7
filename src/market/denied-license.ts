import type { MarketContext } from './context.ts';
import type { MarketProvider } from './providers/provider.ts';

/** The licence of an instrument, as a provider describes it, where it is denied; null: it is not, or is not known there. */
export async function deniedLicense(
  { licenses }: Pick<MarketContext, 'licenses'>,
  provider: MarketProvider,
  symbol: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const description = await provider.describe(symbol, signal);
  if (description === null || licenses.allows(description.license.name)) return null;
  return description.license.name;
}
