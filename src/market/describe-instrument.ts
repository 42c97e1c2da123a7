import type { BarFrequency } from '../calendar/index.ts';
import type { MarketSourceName, SeriesDescription } from '../contract/index.ts';
import type { BarsContext } from './context.ts';
import { describeValues } from './describe-values.ts';
import { instrumentNotFound } from './faults.ts';
import { listTimeframes } from './providers/capabilities.ts';
import type { MarketProvider } from './providers/provider.ts';
import { findCandidates } from './providers/route.ts';

interface DescribeRequest {
  readonly symbol: string;
  readonly source: MarketSourceName;
  readonly frequency: BarFrequency;
  /** Returns whether a provider has bars of a symbol. Called if no listing tells, at most once per provider. */
  readonly hasBars: (provider: MarketProvider, symbol: string) => Promise<boolean>;
}

/** A description, and the provider whose instrument it describes. */
export interface DescribedInstrument {
  readonly provider: MarketProvider;
  readonly description: SeriesDescription;
}

/** Describes an instrument of the first provider that has it. */
export async function findInstrument(market: BarsContext, request: DescribeRequest): Promise<DescribedInstrument> {
  for (const { provider, symbol } of await findCandidates(market, request.source, request.symbol)) {
    if (symbol === null) continue;
    const isPresumed = provider.describe === undefined && (await listedBy(market, provider, symbol)) === 'unread';
    if (isPresumed && !(await request.hasBars(provider, symbol))) continue;
    const description = await describeInstrument(market, provider, symbol, request.frequency);
    if (description !== null) return { provider, description };
  }
  throw instrumentNotFound(request.symbol);
}

async function listedBy({ directory }: BarsContext, provider: MarketProvider, symbol: string) {
  return (await directory?.find(provider.id, symbol)) ?? 'unread';
}

/**
 * Describes an instrument of a provider from its listing. If the listing was never read, the description has the symbol
 * as its title. Sends no request. Returns null for an unknown symbol.
 */
export async function describeInstrument(
  market: BarsContext,
  provider: MarketProvider,
  symbol: string,
  frequency: BarFrequency,
): Promise<SeriesDescription | null> {
  if (provider.describe !== undefined) return provider.describe(symbol);
  const listed = await listedBy(market, provider, symbol);
  const instrument = typeof listed === 'string' ? null : listed;
  const units = instrument?.units ?? 'USD';
  const { name, url } = provider.licenseOf?.(symbol) ?? provider.license;
  return {
    provider: provider.id,
    title: instrument?.name ?? symbol,
    frequency,
    timeframes: [...listTimeframes(provider)],
    adjustments: [...provider.adjustments],
    sessions: [...provider.sessions],
    price_sides: [...provider.sides],
    ...(instrument && { status: instrument.status }),
    time_field: 'timestamp',
    values: describeValues(units, VOLUME_UNITS[provider.serves]),
    dimensions: [],
    units,
    span: null,
    rows: null,
    reporting_period: reportingPeriod(frequency, provider.kindOf(symbol)),
    vintage: 'revised',
    publisher: PUBLISHERS[provider.id] ?? provider.id,
    license: { name, url },
    notes: null,
  };
}

const VOLUME_UNITS = { stocks: 'shares', currencies: 'millions of the base unit' } as const;
const PUBLISHERS: Readonly<Record<string, string>> = { alpaca: 'Alpaca', massive: 'Massive', dukascopy: 'Dukascopy' };

/** Returns the period that a bar reports on. */
export function reportingPeriod(
  frequency: BarFrequency,
  kind: ReturnType<MarketProvider['kindOf']>,
): SeriesDescription['reporting_period'] {
  if (frequency === '1W-MON') return 'week';
  if (frequency === '1MS') return 'month';
  if (frequency === '1D') return kind === 'exchange' ? 'session' : 'daily';
  return 'interval';
}
