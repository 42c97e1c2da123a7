import { z } from 'zod';
import { DescribedSeries } from './descriptions.ts';
import { identifier, instant, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { ok } from './replies.ts';
import { Source } from './sources.ts';
import { EXPORT_FORMATS, SOURCE_TYPES } from './vocabulary.ts';

export const MAX_SEARCH_RESULTS = 100;
export const MAX_OBSERVATIONS = 50_000;

const SearchResult = z
  .strictObject({
    source: Source,
    title: z.string(),
    provider: z.string(),
    frequency: z.string(),
    span: z.strictObject({ start: instant(), end: instant() }),
    units: z.string(),
  })
  .meta({ id: 'SearchResult' });

const Observations = z
  .strictObject({
    provider: z.string(),
    source: Source,
    frequency: z.string(),
    value_field: z.string(),
    units: z.string(),
    snapshot_id: z.string(),
    count: z.int(),
    /** Older observations exist beyond the limit. */
    truncated: z.boolean(),
    rows: z.array(z.strictObject({ timestamp: instant(), value: z.number() })),
  })
  .meta({ id: 'Observations' });

const choice = z.strictObject({ source: Source });

export const marketSearchOperations = {
  searchSeries: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search',
    action: 'datasets.read',
    summary: 'Find a market or a series',
    description:
      'Typing errors are forgiven; an empty query lists everything. Each `source` goes unchanged into describe, observations and forecasts.',
    body: z.strictObject({
      query: text({ min: 0, max: 500 }),
      types: z.array(z.enum(SOURCE_TYPES)).min(1).max(10).optional(),
      limit: z.int().min(1).max(MAX_SEARCH_RESULTS).default(20),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: ok(z.strictObject({ results: z.array(SearchResult), next_cursor: z.string().nullable() })),
  }),
  describeSeries: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search/describe',
    action: 'datasets.read',
    summary: 'What a series holds',
    description:
      'Values, dimensions to choose, units, frequency, span and licence. Revised data are what is known today, not what was known at the time.',
    body: choice,
    status: 200,
    reply: ok(DescribedSeries),
    errors: ['NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
  readObservations: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search/observations',
    action: 'datasets.read',
    summary: 'The rows of a series',
    description:
      'One value field, and one value for each required dimension. Periods without an observation have no row. `csv` answers an attachment.',
    body: choice.extend({
      format: z.enum(EXPORT_FORMATS).default('json'),
      limit: z.int().min(1).max(MAX_OBSERVATIONS).optional().describe('The latest so many; default all.'),
      cutoff: timestamp().optional().describe('Only periods that had ended by then.'),
      snapshot_id: identifier().optional().describe('The rows of an earlier answer.'),
    }),
    status: 200,
    reply: ok(Observations),
    attachment: true,
    errors: ['LICENSE_DENIED', 'NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
};
