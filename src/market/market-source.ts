import { EVERY_LICENSE } from '../access/index.ts';
import { Fault, type MarketReference, type MarketSourceName, type SeriesDescription } from '../contract/index.ts';
import type { ListedSeries, SeriesSource } from '../snapshots/index.ts';
import { BAR_COLUMNS, type BarColumn } from './bars.ts';
import type { MarketContext } from './context.ts';
import { canonicalSymbol, readBars } from './history/read-bars.ts';
import { frequencyOf, type HistorySettings, servedInstant } from './history/settings.ts';
import type { MarketProvider } from './providers/provider.ts';
import { resolveSourceName } from './providers/source-name.ts';

const MAX_BARS = 50_000;

/** Bars as series: one column of them, the close unless another is named. */
export function createMarketSource(market: MarketContext): SeriesSource<MarketReference> {
  return {
    type: 'market',
    list: async () => (await Promise.all(market.providers.map(listOf))).flat(),
    canonical({ provider = 'auto', ...reference }, servedBy) {
      const symbol = canonicalSymbol(market, servedBy, reference.symbol);
      const spelt = { ...reference, symbol, timeframe: frequencyOf(reference.timeframe) };
      return provider === 'auto' ? spelt : { ...spelt, provider: resolveSourceName(provider) as MarketSourceName };
    },
    describe: async (reference, signal) => {
      const description = await describeInstrument(market, reference, signal);
      const frequency = frequencyOf(reference.timeframe);
      if (frequency === description.frequency) return description;
      const window = { end: market.clock.now().getTime(), at: market.clock.now().getTime(), signal };
      // Only counted: what there is may be known of everything.
      const anyBars = { ...market, licenses: EVERY_LICENSE };
      const { timestamps } = (await readBars(anyBars, settingsOf(reference, MAX_BARS), window)).bars;
      const instant = (time = Number.NaN) => new Date(time).toISOString();
      if (timestamps.length === 0) throw new Fault('NOT_FOUND', `No ${frequency} bars of ${reference.symbol}.`);
      const span = { start: instant(timestamps[0]), end: instant(timestamps.at(-1)) };
      const reporting_period = frequency === '1MS' ? 'month' : 'week';
      return { ...description, frequency, reporting_period, rows: timestamps.length, span };
    },
    // Bars are anyone's to read who may read data at all, which the edge has decided.
    authorize: async () => {},
    read: async (reference, { cutoff, limit = MAX_BARS, signal }) => {
      const valueField = checkedField(reference.value_field);
      const now = market.clock.now().getTime();
      const at = cutoff === undefined ? now : Math.min(now, servedInstant(cutoff));
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

async function listOf(provider: MarketProvider): Promise<readonly ListedSeries[]> {
  return provider.list?.() ?? [];
}

function kindOf({ providers }: MarketContext, id: string): MarketProvider['kind'] {
  return providers.find((provider) => provider.id === id)?.kind ?? 'exchange';
}

function settingsOf(reference: MarketReference, limit: number): HistorySettings {
  const { symbol, provider: source = 'auto', timeframe, adjustment = 'split', session = 'regular' } = reference;
  const frequency = frequencyOf(timeframe);
  return { symbol, source, frequency, limit, adjustment, session, priceSide: 'bid', start: null, end: null };
}

function checkedField(field: string = 'close'): BarColumn {
  const known = BAR_COLUMNS.find((name) => name === field);
  if (known !== undefined) return known;
  throw new Fault('INVALID_REQUEST', `source.value_field: must be one of ${BAR_COLUMNS.join(', ')}.`);
}

/** As the first provider that knows the symbol describes it. */
async function describeInstrument(
  { providers }: MarketContext,
  { symbol, provider = 'auto' }: MarketReference,
  signal: AbortSignal | undefined,
): Promise<SeriesDescription> {
  const name = resolveSourceName(provider);
  const asked = name === 'auto' ? providers : providers.filter(({ id }) => id === name);
  if (asked.length === 0)
    throw new Fault(
      'UNPROCESSABLE',
      `source.provider: ${name} is not configured here; leave it out to ask whoever is.`,
    );
  for (const one of asked) {
    const description = await one.describe(symbol, signal);
    if (description !== null) return description;
  }
  throw new Fault('NOT_FOUND', `There is no instrument ${JSON.stringify(symbol)} here.`);
}
