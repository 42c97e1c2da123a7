import type { SomeExamples } from './example.ts';

const CPI = { type: 'economic_series', provider: 'bundled', series_id: 'us-cpi' } as const;

/** Search, series, bars and feeds. */
export const DATA_EXAMPLES = {
  searchSeries: { body: { query: 'apple', limit: 3 } },
  previewSeries: { body: { sources: [CPI] } },
  describeSeries: { body: { source: CPI } },
  readObservations: { body: { source: CPI, limit: 5 } },
  listMarketProviders: {},
  readStockHistory: {
    body: { symbol: 'AAPL', timeframe: '1D', start: '2017-01-03T00:00:00Z', end: '2017-01-10T00:00:00Z' },
  },

  createFeed: {
    body: { kind: 'observations', request: { source: CPI, limit: 5 }, name: 'Consumer prices' },
    keeps: { feed_id: 'data.id', feed_token: { lastPartOf: 'data.url' } },
  },
  listFeeds: {},
  readFeed: { caller: null, params: { feed: '{{feed_token}}' } },
  deleteFeed: { params: { feed: '{{feed_id}}' } },

  listScreenerFields: {},
  previewScreenerAlert: { body: { universe: 'all', all: [{ field: 'rsi_14', op: 'gt', value: 60 }] } },
  createScreenerAlert: {
    body: {
      name: 'Above its average',
      universe: 'all',
      all: [
        { field: 'close', op: 'gt', other_field: 'sma_20' },
        { field: 'rsi_14', op: 'between', value: [30, 80] },
      ],
      email: true,
    },
    keeps: { alert_id: 'data.id' },
  },
  listScreenerAlerts: {},
  readScreenerAlert: { params: { alert_id: '{{alert_id}}' } },
  updateScreenerAlert: {
    params: { alert_id: '{{alert_id}}' },
    body: { name: 'Above its 20-day average', email: false },
  },
  listScreenerMatches: { params: { alert_id: '{{alert_id}}' }, query: { limit: 3 } },
  listScreenerSessions: { params: { alert_id: '{{alert_id}}' }, query: { limit: 3 } },
  listScreenerMails: { query: { limit: 3 } },
  deleteScreenerAlert: { params: { alert_id: '{{alert_id}}' } },
} as const satisfies SomeExamples;
