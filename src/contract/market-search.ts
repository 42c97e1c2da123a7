import { z } from 'zod';
import { DescribedSeries } from './descriptions.ts';
import { identifier, instant, isoDate, text, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { ok } from './replies.ts';
import { EconomicSource, MAX_SOURCE_BODY, MarketSource, Source } from './sources.ts';
import { EXPORT_FORMATS, SOURCE_TYPES } from './vocabulary.ts';

export const MAX_SEARCH_RESULTS = 100;
export const MAX_OBSERVATIONS = 50_000;
const MAX_PREVIEWS = 20;
export const MAX_PREVIEW_VALUES = 40;

const SearchResult = z
  .strictObject({
    source: Source,
    title: z.string(),
    provider: z.string(),
    frequency: z.string(),
    span: z
      .strictObject({ start: instant(), end: instant() })
      .nullable()
      .describe('The first and the last row. Null if they are not known without reading rows.'),
    units: z.string(),
    status: z
      .enum(['active', 'delisted'])
      .optional()
      .describe('Whether an instrument is still traded. Only instruments in the listing of a provider have it.'),
  })
  .meta({ id: 'SearchResult' });

/** At most 4 KiB. The oldest flags are left out first. */
const SeriesFacts = z
  .strictObject({
    last_update: instant().nullable(),
    multiplier: z.number().nullable(),
    seasonal_adjustment: z.string().nullable(),
    footnotes: z.array(z.string()),
    flags: z.array(
      z.strictObject({
        flag: z.string(),
        label: z.string().nullable(),
        count: z.int().describe('Number of rows with this flag.'),
        dates: z.array(isoDate()).describe('The rows with this flag, the newest first.'),
      }),
    ),
    cut: z.boolean().describe('Whether footnotes or dates were left out.'),
  })
  .meta({ id: 'SeriesFacts' });

const Observations = z
  .strictObject({
    provider: z.string(),
    source: Source,
    frequency: z.string(),
    value_field: z.string(),
    units: z.string(),
    snapshot_id: z.string(),
    count: z.int(),
    truncated: z.boolean().describe('Whether older observations exist beyond the limit.'),
    estimated_bytes: z
      .int()
      .optional()
      .describe(
        'The bytes of the dry run before the read. Present for warehouse tables, unless `snapshot_id` was sent.',
      ),
    facts: SeriesFacts.optional().describe('What the provider states about these rows. Present for live series only.'),
    rows: z.array(z.strictObject({ timestamp: instant(), value: z.number() })),
  })
  .meta({ id: 'Observations' });

/** Rows of warehouse tables are not stored, so they have no previews. */
const PreviewedSource = z.discriminatedUnion('type', [MarketSource, EconomicSource]);
/** The size limit of a body with twenty sources, each with values for twenty dimensions. */
const MAX_PREVIEWS_BODY = 1024 * 1024;

const choice = z.strictObject({ source: Source });

export const ObservationsRequest = choice.extend({
  format: z.enum(EXPORT_FORMATS).default('json'),
  limit: z
    .int()
    .min(1)
    .max(MAX_OBSERVATIONS)
    .optional()
    .describe('Maximum number of rows. The latest rows are returned. Default: all rows.'),
  cutoff: timestamp().optional().describe('Returns only periods that ended by this instant.'),
  snapshot_id: identifier().optional().describe('Returns the same rows as the response that named this snapshot.'),
});

export const marketSearchOperations = {
  searchSeries: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search',
    action: 'datasets.read',
    summary: 'Search for markets and series',
    description:
      'Finds names even if the query contains typing errors. An empty query lists everything. Pass the `source` of a result unchanged to `describe` or `observations`, or to a forecast.',
    body: z.strictObject({
      query: text({ min: 0, max: 500 }),
      types: z.array(z.enum(SOURCE_TYPES)).min(1).max(10).optional(),
      local: z
        .boolean()
        .optional()
        .describe(
          'If true, only the listings are searched, and no provider gets a request. Use it to search while the query is typed.',
        ),
      limit: z.int().min(1).max(MAX_SEARCH_RESULTS).default(20),
      cursor: text({ max: 500 }).optional(),
    }),
    status: 200,
    reply: ok(
      z.strictObject({
        results: z.array(SearchResult),
        next_cursor: z.string().nullable(),
        unavailable: z
          .array(z.string())
          .describe(
            'Providers whose search failed or did not reply in time, so that some of their series may be missing. Usually empty.',
          ),
      }),
    ),
  }),
  previewSeries: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search/previews',
    action: 'datasets.read',
    summary: 'Preview series for small pictures',
    description:
      'Returns a few of the latest values of each series, in the order of `sources`, from rows that are bundled or already stored. No provider gets a request. Stored rows can be older than those that `observations` returns.',
    body: z.strictObject({ sources: z.array(PreviewedSource).min(1).max(MAX_PREVIEWS) }),
    bodyLimit: { bytes: MAX_PREVIEWS_BODY },
    status: 200,
    reply: ok(
      z.strictObject({
        previews: z
          .array(
            z
              .strictObject({
                values: z
                  .array(z.number())
                  .min(1)
                  .max(MAX_PREVIEW_VALUES)
                  .describe('Values of the last 250 rows, equally far apart, the oldest first.'),
              })
              .nullable(),
          )
          .describe(
            'Null for a series that is unknown, that has no bundled or stored rows, that needs a value field or a dimension, or that the caller may not read.',
          ),
      }),
    ),
  }),
  describeSeries: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search/describe',
    action: 'datasets.read',
    summary: 'Describe a series',
    description:
      'Returns value fields, dimensions, units, frequency, span and license. Values of revised data are those known today, not those first published.',
    body: choice,
    heavy: 'file_work',
    bodyLimit: { bytes: MAX_SOURCE_BODY },
    status: 200,
    reply: ok(DescribedSeries),
    errors: ['SOURCE_DENIED', 'ACCOUNT_REQUIRED', 'NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
  readObservations: operation({
    group: 'Search',
    method: 'POST',
    path: '/v1/market-search/observations',
    action: 'datasets.read',
    summary: 'Read the rows of a series',
    description:
      'Reads one value field. Every required dimension needs a value. Periods without an observation have no row. The format `csv` returns an attachment.',
    body: ObservationsRequest,
    weight: 2,
    heavy: 'file_work',
    bodyLimit: { bytes: MAX_SOURCE_BODY },
    status: 200,
    reply: ok(Observations),
    attachment: true,
    errors: ['SOURCE_DENIED', 'ACCOUNT_REQUIRED', 'LICENSE_DENIED', 'NOT_FOUND', 'UNPROCESSABLE', 'PROVIDER_FAILED'],
  }),
};
