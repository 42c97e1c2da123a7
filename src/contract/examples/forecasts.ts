import type { z } from 'zod';
import type { Operations } from '../operations.ts';
import type { ExampleOf, SomeExamples } from './example.ts';

type ForecastChoice = z.input<Operations['createForecast']['body']>;

/**
 * Yearly rows, because their forecast reaches far beyond the year in which the example is used: questions are only
 * possible about the future.
 */
const ORDERS = {
  type: 'inline',
  points: [412, 437, 455, 481, 470, 502, 538, 561, 549, 590, 622, 640, 611, 668, 701, 733, 748, 790, 812, 845].map(
    (value, i) => ({ timestamp: `${2005 + i}-12-31`, value }),
  ),
} as const;

const REQUEST: ForecastChoice = {
  source: ORDERS,
  horizon: 12,
  models: ['theta', 'seasonal_naive'],
  quantiles: [0.1, 0.5, 0.9],
  title: 'Orders per year',
};

const byId = { params: { forecast_id: '{{forecast_id}}' } } as const;

const FROM_FORECAST = { forecast_id: '{{forecast_id}}', changes_pct: [10, 25], steps: [12] };

const byEvent = { params: { forecast_id: '{{event_id}}' } } as const;

/** Forecasts, their outcomes, and questions. */
export const FORECAST_EXAMPLES = {
  listModels: {},
  estimateForecast: { body: REQUEST },
  createForecast: { body: REQUEST, keeps: { forecast_id: 'data.forecast_id' } },
  watchForecast: byId,
  readForecast: byId,
  listForecasts: { query: { status: 'completed', limit: 3 } },
  previewForecasts: { query: { ids: '{{forecast_id}}' } },
  listForecastActions: byId,
  readForecastHistory: { ...byId, query: { limit: 5 } },
  readForecastProof: byId,
  exportForecast: { ...byId, query: { format: 'csv' } },
  recordOutcome: { ...byId, body: { points: [{ timestamp: '2025-12-31', value: 871 }] } },
  readOutcome: byId,
  readTrackRecord: {},
  updateForecast: { ...byId, body: { title: 'Orders per year, with returns' } },
  reproduceForecast: { ...byId, keeps: { reproduced_id: 'data.forecast_id' } },
  cancelForecast: { params: { forecast_id: '{{reproduced_id}}' } },
  deleteForecast: { params: { forecast_id: '{{reproduced_id}}' } },
  prepareSaveForecast: { caller: 'guest', params: { forecast_id: '{{guest_forecast_id}}' } },
  saveForecast: byId,

  previewEventsFromForecast: { body: FROM_FORECAST },
  createEventsFromForecast: { body: FROM_FORECAST },
  createEvent: {
    body: {
      category: 'earnings',
      entity: { type: 'company', name: 'Acme', ticker: 'ACME' },
      question: 'Will Acme report more than 900 orders for 2030?',
      possible_future_headline: 'Acme passes 900 orders a year',
      probability: 0.6,
      input_cutoff_at: '2026-01-31T00:00:00Z',
      resolution_deadline: '2031-03-31T00:00:00Z',
    },
    keeps: { event_id: 'data.forecast_id' },
  },
  listEvents: { query: { status: 'pending', limit: 3 } },
  readEvent: byEvent,
  listEventActions: byEvent,
  reviseEvent: {
    ...byEvent,
    body: { probability: 0.7, input_cutoff_at: '2026-02-28T00:00:00Z', note: 'The orders of the first quarter rose.' },
  },
  listEventRevisions: byEvent,
  readEventHistory: byEvent,
  readEventProof: byEvent,
  resolveEvent: {
    ...byEvent,
    body: {
      outcome: 'yes',
      actual_outcome: 'Acme reported 921 orders.',
      resolution_source: 'Annual report of Acme',
    },
  },
  readEventResolution: byEvent,
  readScoreboard: {},
} as const satisfies SomeExamples;

/** A forecast that a guest creates, which an account can save later. */
export const GUEST_FORECAST = {
  caller: 'guest',
  body: { ...REQUEST, horizon: 3 },
  keeps: { guest_forecast_id: 'data.forecast_id' },
} as const satisfies ExampleOf<Operations['createForecast']>;

/** A forecast of a file in a workspace, which its members can read. */
export const FILE_FORECAST = {
  body: {
    source: {
      type: 'workspace_csv',
      workspace_id: '{{workspace_id}}',
      csv_id: '{{csv_id}}',
      time_field: 'date',
      value_field: 'visits',
    },
    horizon: 3,
    models: ['seasonal_naive'],
    workspace_id: '{{workspace_id}}',
    title: 'Visits per day',
  },
  keeps: { file_forecast_id: 'data.forecast_id' },
} as const satisfies ExampleOf<Operations['createForecast']>;
