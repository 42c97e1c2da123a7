import { z } from 'zod';
import { identifier, instant } from './fields.ts';
import { StockHistoryRequest } from './market-data.ts';
import { ObservationsRequest } from './market-search.ts';
import { name } from './names.ts';
import { operation } from './operation.ts';
import { resource } from './replies.ts';
import { MAX_SOURCE_BODY } from './sources.ts';

export const FEED_KINDS = ['history', 'observations', 'forecast'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** Maximum number of feeds per account. */
export const MAX_FEEDS = 50;

/** Which bars a feed returns. Each read returns the latest ones. */
export const HistoryFeedRequest = StockHistoryRequest.omit({ format: true, cursor: true, snapshot_id: true }).meta({
  id: 'HistoryFeedRequest',
});

/** Which rows of a series a feed returns. */
export const ObservationsFeedRequest = ObservationsRequest.omit({ format: true, snapshot_id: true }).meta({
  id: 'ObservationsFeedRequest',
});

/** Whose predictions a feed returns. */
export const ForecastFeedRequest = z.strictObject({ forecast_id: identifier() }).meta({ id: 'ForecastFeedRequest' });

const feedName = name({ max: 100 }).optional().describe('A name by which you recognize the feed.');

const fields = {
  id: z.string(),
  kind: z.enum(FEED_KINDS),
  name: z.string().nullable(),
  request: z.union([HistoryFeedRequest, ObservationsFeedRequest, ForecastFeedRequest]),
  created_at: instant(),
  last_read_at: instant().nullable().describe('Accurate to five minutes.'),
};

export const Feed = z.strictObject(fields).meta({ id: 'Feed' });

export const NewFeed = z
  .strictObject({
    ...fields,
    url: z.string().describe('The URL from which the CSV is read. It contains the token and is not shown again.'),
  })
  .meta({ id: 'NewFeed' });

export const feedOperations = {
  createFeed: operation({
    group: 'Feeds',
    method: 'POST',
    path: '/v1/feeds',
    action: 'feeds.change',
    summary: 'Create a feed',
    description: `Returns a URL from which programs read CSV without another credential: bars (\`history\`), rows of a series (\`observations\`) or the predictions of a completed forecast (\`forecast\`). The request is checked as the operation of its kind would check it. \`history\` and \`observations\` need the scope datasets:read, \`forecast\` needs forecasts:read. A feed is API access, so the account needs the pro or enterprise plan. A feed that is created with an API key or an access token ends with that key or with the grant of that token. An account can have ${MAX_FEEDS} feeds.`,
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('history'), request: HistoryFeedRequest, name: feedName }),
      z.strictObject({ kind: z.literal('observations'), request: ObservationsFeedRequest, name: feedName }),
      z.strictObject({ kind: z.literal('forecast'), request: ForecastFeedRequest, name: feedName }),
    ]),
    bodyLimit: { bytes: MAX_SOURCE_BODY },
    weight: 2,
    status: 201,
    reply: resource(NewFeed),
    errors: [
      'LIMIT_REACHED',
      'SOURCE_DENIED',
      'LICENSE_DENIED',
      'WORKSPACE_DENIED',
      'NOT_FOUND',
      'NOT_COMPLETED',
      'UNPROCESSABLE',
      'PROVIDER_FAILED',
    ],
  }),
  listFeeds: operation({
    group: 'Feeds',
    method: 'GET',
    path: '/v1/feeds',
    action: 'feeds.list',
    summary: 'List feeds',
    description:
      'Lists the feeds of the account, newest first, without their URLs. A credential sees only the kinds that its scopes allow.',
    status: 200,
    reply: resource(z.strictObject({ feeds: z.array(Feed) })),
  }),
  deleteFeed: operation({
    group: 'Feeds',
    method: 'DELETE',
    path: '/v1/feeds/{feed}',
    action: 'feeds.change',
    summary: 'Delete a feed',
    description: 'Takes effect immediately: the next request to the URL of the feed gets 404.',
    params: z.strictObject({ feed: identifier().describe('The id of the feed.') }),
    status: 200,
    reply: resource(z.strictObject({ id: z.string(), removed: z.literal(true) })),
    errors: ['NOT_FOUND'],
  }),
  readFeed: operation({
    group: 'Feeds',
    method: 'GET',
    path: '/v1/feeds/{feed}',
    action: 'feed.read',
    credential: 'path',
    summary: 'Read a feed',
    description:
      'Returns the CSV of a feed. The token in the URL is the only credential. The request counts for the owner of the feed, whose plan, access and licenses are checked on each read. An unknown, malformed or deleted token gets 404 and counts for the address of the caller.',
    params: z.strictObject({ feed: z.string().describe('The token at the end of the URL of the feed.') }),
    weight: 2,
    status: 200,
    reply: resource(z.string()),
    attachment: 'always',
    versioned: true,
    errors: [
      'PLAN_REQUIRED',
      'SOURCE_DENIED',
      'LICENSE_DENIED',
      'WORKSPACE_DENIED',
      'NOT_FOUND',
      'NOT_COMPLETED',
      'UNPROCESSABLE',
      'PROVIDER_FAILED',
    ],
  }),
};
