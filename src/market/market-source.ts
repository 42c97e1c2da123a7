import { ALL_LICENSES } from '../access/index.ts';
import { daysBefore } from '../calendar/index.ts';
import { Fault, type MarketReference, type MarketSourceName } from '../contract/index.ts';
import type { ReadWindow, SeriesSource, SourceRows } from '../snapshots/index.ts';
import { BAR_COLUMNS, type BarColumn } from './bars.ts';
import type { BarsContext, MarketContext } from './context.ts';
import { describeInstrument, findInstrument, reportingPeriod } from './describe-instrument.ts';
import { instrumentNotFound, noBarsAtFrequency, unknownValueField } from './faults.ts';
import type { MarketProvider } from './providers/provider.ts';
import { resolveSourceName } from './providers/route.ts';
import {
  type BarSettings,
  type BarWindow,
  canonicalSymbol,
  clampInstant,
  type LastBar,
  type ReadBarsResult,
  readBars,
  readBarsBefore,
  requireFrequency,
} from './read-bars.ts';

const MAX_BARS = 50_000;

/**
 * Creates the source that offers one column of bars as a series: the close, unless the reference names another column.
 */
export function createMarketSource(
  market: BarsContext & Pick<MarketContext, 'directory'>,
): SeriesSource<MarketReference> {
  return {
    type: 'market',
    list: async () => {
      const lists = await Promise.all(market.providers.map(async (provider) => provider.list?.() ?? []));
      return lists.flat().concat((await market.directory?.list()) ?? []);
    },
    listVersion: async () => (await market.directory?.version()) ?? '',
    canonical({ provider = 'auto', ...reference }, servedBy) {
      const symbol = canonicalSymbol(market, servedBy, reference.symbol);
      const canonical = { ...reference, symbol, timeframe: requireFrequency(reference.timeframe) };
      if (provider === 'auto') return canonical;
      return { ...canonical, provider: resolveSourceName(provider) as MarketSourceName };
    },
    describe: async (reference, signal) => {
      const settings = settingsOf(reference, MAX_BARS);
      const { symbol, source, frequency } = settings;
      const now = market.clock.now().getTime();
      // Bars are read only to count them, and a description is not subject to licenses.
      const anyLicense = { ...market, licenses: ALL_LICENSES };
      const read = (provider: MarketProvider, limit: number) =>
        readBars(
          anyLicense,
          { ...settings, source: provider.id as MarketSourceName, limit },
          { end: now, at: now, signal },
        );
      const { provider, description } = await findInstrument(market, {
        symbol,
        source,
        frequency,
        hasBars: (one) => hasBars(() => read(one, 1)),
      });
      if (frequency === description.frequency) return description;
      const { timestamps } = (await read(provider, MAX_BARS)).bars;
      if (timestamps.length === 0) throw noBarsAtFrequency(frequency, reference.symbol);
      const isoInstant = (time = Number.NaN) => new Date(time).toISOString();
      const span = { start: isoInstant(timestamps[0]), end: isoInstant(timestamps.at(-1)) };
      const reporting_period = reportingPeriod(frequency, provider.kindOf(symbol));
      return { ...description, frequency, reporting_period, rows: timestamps.length, span };
    },
    // The API has already checked that the caller may read data, which includes bars.
    authorize: async () => {},
    read: (reference, window) => readColumn(market, reference, window),
    readDaysBefore: async (reference, { days, limit, signal }) => {
      const { frequency, session } = settingsOf(reference, 1);
      const cutoffOf = ({ timestamp, kind }: LastBar) =>
        daysBefore({ frequency, kind, ...(kind === 'exchange' && { hours: session }) }, timestamp, days);
      let cutoff = Number.NaN;
      const rows = await readColumn(market, reference, { limit, signal }, async (settings, window) => {
        const read = await readBarsBefore(market, settings, window, cutoffOf);
        ({ cutoff } = read);
        return read;
      });
      return { ...rows, cutoff };
    },
  };
}

type ReadWindowOfBars = (settings: BarSettings, window: BarWindow) => Promise<ReadBarsResult>;

/**
 * How often a read continues after a provider has sent as many pages as it sends for one read. The pages so far are in
 * the bar store.
 */
const MAX_CONTINUATIONS = 4;

/** Reads one column of the bars that a reference selects. */
async function readColumn(
  market: BarsContext,
  reference: MarketReference,
  { cutoff, limit = MAX_BARS, signal }: ReadWindow,
  read: ReadWindowOfBars = (settings, window) => readBars(market, settings, window),
): Promise<SourceRows> {
  const valueField = requireValueField(reference.value_field);
  const now = market.clock.now().getTime();
  const at = cutoff === undefined ? now : Math.min(now, clampInstant(cutoff));
  const settings = settingsOf(reference, limit);
  const window = { end: at, at, signal };
  let latest = await read(settings, window);
  for (let i = 0; i < MAX_CONTINUATIONS && latest.isBounded; i++) {
    const rows = latest.bars.timestamps.length;
    latest = await read(settings, window);
    if (latest.bars.timestamps.length <= rows) break;
  }
  const { bars, provider: id, symbol, fallbackUsed, olderBefore } = latest;
  const { frequency, adjustment, session, priceSide } = settings;
  const provider = market.providers.find((one) => one.id === id) as MarketProvider;
  const description = await describeInstrument(market, provider, symbol, frequency);
  if (description === null) throw instrumentNotFound(symbol);
  const { title, publisher, license, vintage } = description;
  const kind = provider.kindOf(symbol);
  return {
    table: { timestamps: bars.timestamps, columns: { [valueField]: bars.columns[valueField] } },
    cadence: { frequency, kind, ...(kind === 'exchange' && { hours: session }) },
    valueField,
    provider: id,
    fallbackUsed,
    hasOlder: olderBefore !== null,
    about: {
      source: {
        type: 'market',
        symbol,
        provider: id,
        timeframe: frequency,
        adjustment,
        session,
        ...(priceSide !== null && { price_side: priceSide }),
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
}

/** Returns whether a read finds any bars. Unlike for a caller, an unknown symbol is not an error. */
async function hasBars(read: () => ReturnType<typeof readBars>): Promise<boolean> {
  try {
    return (await read()).bars.timestamps.length > 0;
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

function settingsOf(reference: MarketReference, limit: number): BarSettings {
  const { symbol, provider: source = 'auto', timeframe, adjustment = 'split', session = 'regular' } = reference;
  const priceSide = reference.price_side ?? null;
  const frequency = requireFrequency(timeframe);
  return { symbol, source, frequency, limit, adjustment, session, priceSide, start: null, end: null };
}

function requireValueField(field: string = 'close'): BarColumn {
  const column = BAR_COLUMNS.find((name) => name === field);
  if (column === undefined) throw unknownValueField(BAR_COLUMNS);
  return column;
}
