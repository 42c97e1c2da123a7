import { ALL_LICENSES } from '../access/index.ts';
import type { MarketReference, MarketSourceName, SeriesDescription } from '../contract/index.ts';
import type { SeriesSource } from '../snapshots/index.ts';
import { BAR_COLUMNS, type BarColumn } from './bars.ts';
import type { BarsContext } from './context.ts';
import { instrumentNotFound, noBarsAtFrequency, providerNotConfigured, unknownValueField } from './faults.ts';
import type { MarketProvider } from './providers/provider.ts';
import { resolveSourceName } from './providers/route.ts';
import { type BarSettings, canonicalSymbol, clampInstant, readBars, requireFrequency } from './read-bars.ts';

const MAX_BARS = 50_000;

/**
 * Creates the source that offers one column of bars as a series: the close, unless the reference names another column.
 */
export function createMarketSource(market: BarsContext): SeriesSource<MarketReference> {
  return {
    type: 'market',
    list: async () => (await Promise.all(market.providers.map(async (provider) => provider.list?.() ?? []))).flat(),
    canonical({ provider = 'auto', ...reference }, servedBy) {
      const symbol = canonicalSymbol(market, servedBy, reference.symbol);
      const canonical = { ...reference, symbol, timeframe: requireFrequency(reference.timeframe) };
      if (provider === 'auto') return canonical;
      return { ...canonical, provider: resolveSourceName(provider) as MarketSourceName };
    },
    describe: async (reference, signal) => {
      const description = await describeInstrument(market, reference, signal);
      const frequency = requireFrequency(reference.timeframe);
      if (frequency === description.frequency) return description;
      const window = { end: market.clock.now().getTime(), at: market.clock.now().getTime(), signal };
      // The bars are read only to count them, and a description is not subject to licenses.
      const anyLicense = { ...market, licenses: ALL_LICENSES };
      const { timestamps } = (await readBars(anyLicense, settingsOf(reference, MAX_BARS), window)).bars;
      if (timestamps.length === 0) throw noBarsAtFrequency(frequency, reference.symbol);
      const isoInstant = (time = Number.NaN) => new Date(time).toISOString();
      const span = { start: isoInstant(timestamps[0]), end: isoInstant(timestamps.at(-1)) };
      const reporting_period = frequency === '1MS' ? 'month' : 'week';
      return { ...description, frequency, reporting_period, rows: timestamps.length, span };
    },
    // The API has already checked that the caller may read data, which includes bars.
    authorize: async () => {},
    read: async (reference, { cutoff, limit = MAX_BARS, signal }) => {
      const valueField = requireValueField(reference.value_field);
      const now = market.clock.now().getTime();
      const at = cutoff === undefined ? now : Math.min(now, clampInstant(cutoff));
      const settings = settingsOf(reference, limit);
      const { bars, provider, symbol } = await readBars(market, settings, { end: at, at, signal });
      const { frequency, adjustment, session } = settings;
      const description = await describeInstrument(market, { ...reference, provider: provider as 'bundled' }, signal);
      const { title, publisher, license, vintage } = description;
      return {
        table: { timestamps: bars.timestamps, columns: { [valueField]: bars.columns[valueField] } },
        cadence: { frequency, kind: kindOf(market, provider), hours: session },
        valueField,
        provider,
        about: {
          source: {
            type: 'market',
            symbol,
            provider,
            timeframe: frequency,
            adjustment,
            session,
            value_field: valueField,
          },
          units: description.values.find(({ field }) => field === valueField)?.units ?? description.units,
          title,
          frequency,
          publisher,
          license,
          vintage,
        },
      };
    },
  };
}

function kindOf({ providers }: BarsContext, id: string): MarketProvider['kind'] {
  return providers.find((provider) => provider.id === id)?.kind ?? 'exchange';
}

function settingsOf(reference: MarketReference, limit: number): BarSettings {
  const { symbol, provider: source = 'auto', timeframe, adjustment = 'split', session = 'regular' } = reference;
  const frequency = requireFrequency(timeframe);
  return { symbol, source, frequency, limit, adjustment, session, priceSide: 'bid', start: null, end: null };
}

function requireValueField(field: string = 'close'): BarColumn {
  const column = BAR_COLUMNS.find((name) => name === field);
  if (column === undefined) throw unknownValueField(BAR_COLUMNS);
  return column;
}

/** Returns the description of an instrument from the first provider that has it. */
async function describeInstrument(
  { providers }: BarsContext,
  { symbol, provider: source = 'auto' }: MarketReference,
  signal: AbortSignal | undefined,
): Promise<SeriesDescription> {
  const name = resolveSourceName(source);
  const candidates = name === 'auto' ? providers : providers.filter(({ id }) => id === name);
  if (candidates.length === 0) throw providerNotConfigured('source.provider', name);
  for (const provider of candidates) {
    const description = await provider.describe(symbol, signal);
    if (description !== null) return description;
  }
  throw instrumentNotFound(symbol);
}
