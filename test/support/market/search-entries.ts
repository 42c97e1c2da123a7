import type { ListedSeries } from '../../../src/snapshots/index.ts';

const REST = { provider: 'bundled', frequency: '1D', span: { start: '2000-01-03', end: '2024-12-31' }, units: 'USD' };

/** Returns an instrument as a source lists it. */
export function instrument(symbol: string, title: string, keywords: readonly string[] = []): ListedSeries {
  return { source: { type: 'market', symbol, timeframe: '1D' }, title, keywords, ...REST };
}

/** Returns a published series as a source lists it. */
export function published(seriesId: string, title: string, keywords: readonly string[] = []): ListedSeries {
  return { source: { type: 'economic_series', provider: 'bundled', series_id: seriesId }, title, keywords, ...REST };
}

export const EXAMPLES: readonly ListedSeries[] = [
  instrument('AAPL', 'Apple Inc.', ['NASDAQ', 'technology', 'US0378331005']),
  instrument('APLE', 'Apple Hospitality REIT', ['NYSE', 'real estate']),
  instrument('AAPB', 'Daily AAPL bull fund', ['NASDAQ', 'fund']),
  instrument('AAL', 'American Airlines Group', ['NASDAQ', 'airlines']),
  instrument('^GSPC', 'S&P 500', ['SPX', 'index', 'United States']),
  instrument('SPXC', 'SPX Technologies', ['NYSE', 'industry']),
  instrument('^NDX', 'Nasdaq 100', ['index', 'United States']),
  instrument('BRK.B', 'Berkshire Hathaway Class B', ['NYSE', 'insurance']),
  instrument('C:EURUSD', 'Euro / US dollar', ['forex']),
  instrument('T', 'AT&T Inc.', ['NYSE']),
  published('CPIAUCSL', 'Consumer price index, United States', ['inflation', 'monthly']),
  published('BRA-CPI', 'Consumer price index, Brazil, São Paulo', ['inflation', 'monthly', 'IBGE']),
  published('UNRATE', 'Unemployment rate, United States', ['labor', 'monthly']),
  published('UNRATE-YOUTH', 'Youth unemployment rates, United States', ['labor', 'monthly']),
  published('GDPC1', 'Real gross domestic product, United States', ['GDP', 'quarterly']),
  published('DEU-GDP', 'Real gross domestic product, Germany', ['GDP', 'quarterly']),
  published('PRIZE', 'Prize money of tennis tournaments', ['sport']),
];
