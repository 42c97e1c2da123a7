import { createPair, type Pair } from './currencies.ts';
import { createEconomy, type Economy, type IndicatorName } from './economy.ts';
import { type PublishedRow, walk } from './published-series.ts';
import { DAY, dayAt } from './second-calendar.ts';
import { createStocks, LAST_DATE, type Stock, type StockName, weeksOf } from './stocks.ts';

/** The names under which the plan of forecasts names series. OWN is a series of the accounts, which no provider has. */
export type SeriesName = StockName | 'INDX weeks' | 'EURUSD' | 'EURUSD hours' | IndicatorName | 'OWN';

/** Everything that happens in the market until its end. The service sees what was published by now. */
export interface Market {
  readonly stocks: Readonly<Record<StockName, Stock>>;
  readonly pair: Pair;
  readonly economy: Economy;
  /** The rows of a series with everything that is ever published for them. */
  rowsOf(series: SeriesName): readonly PublishedRow[];
}

/** Creates the market of a seed. */
export function createMarket(seed: number): Market {
  const stocks = createStocks(seed);
  const pair = createPair(seed);
  const economy = createEconomy(seed);
  const own = createOwnSeries(seed);
  const weeks = weeksOf(stocks.INDX);
  return {
    stocks,
    pair,
    economy,
    rowsOf(series) {
      if (series === 'OWN') return own;
      if (series === 'EURUSD') return pair.days;
      if (series === 'EURUSD hours') return pair.hours;
      if (series === 'INDX weeks') return weeks;
      if (series === 'PRICES' || series === 'CLAIMS' || series === 'RATE') return economy[series].rows;
      return stocks[series].rows;
    },
  };
}

function createOwnSeries(seed: number): PublishedRow[] {
  const first = dayAt('2024-10-01');
  const count = (dayAt(LAST_DATE) - first) / DAY;
  const values = walk(count, { seed: seed + 31, start: 60, spread: 0.03, season: { rows: 7, share: 0.1 } });
  return values.map((value, i) => {
    const timestamp = first + i * DAY;
    return { timestamp, versions: [{ value, publishedAt: timestamp + DAY }] };
  });
}
