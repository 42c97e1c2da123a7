import type { PublishedRevision } from '../../../src/provenance/index.ts';

/** The first revision of an event that was created from a forecast and has a rule. */
export const EXAMPLE_REVISION: PublishedRevision = {
  eventId: 'evt_1',
  revision: 1,
  question: 'Will the index close above 120 on 1 April 2026?',
  category: 'markets',
  entity: { type: 'index', name: 'Example Index', ticker: 'EXI' },
  headline: 'The index closes above 120',
  probability: 0.25,
  inputCutoffAt: new Date('2026-02-28T00:00:00Z'),
  createdAt: new Date('2026-03-01T10:00:00Z'),
  deadline: new Date('2026-04-08T00:00:00Z'),
  rule: {
    type: 'threshold',
    source: { type: 'market', symbol: 'EXI' },
    op: 'gt',
    threshold: 120,
    observed_at: '2026-04-01T00:00:00.000Z',
    settle_days: 0,
  },
  model: 'almanac_ensemble',
  origin: {
    forecast_id: 'ef_1',
    step: 1,
    timestamp: '2026-04-01T00:00:00.000Z',
    op: 'gt',
    threshold: 120,
    part: 'interior',
    ensemble_probability: 0.3,
    past_share: 0.2,
    quantiles: { '0.1': 90, '0.5': 100, '0.9': 130 },
  },
  note: null,
  seal: { hash: 'sha3-256', salt: '5a'.repeat(32) },
};
