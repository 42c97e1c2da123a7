import type { z } from 'zod';
import type { FeedKind, ForecastFeedRequest, HistoryFeedRequest, ObservationsFeedRequest } from '../contract/index.ts';

/** What a feed returns: its kind, and the request that each read repeats. */
export type FeedChoice =
  | { readonly kind: 'history'; readonly request: z.output<typeof HistoryFeedRequest> }
  | { readonly kind: 'observations'; readonly request: z.output<typeof ObservationsFeedRequest> }
  | { readonly kind: 'forecast'; readonly request: z.output<typeof ForecastFeedRequest> };

export interface FeedTable {
  id: string;
  account_id: string;
  kind: FeedKind;
  name: string | null;
  /** The request with its defaults, so that a later release with other defaults does not change the feed. */
  request: FeedChoice['request'];
  token_hash: string;
  /** The key with which the feed was created. The feed ends with it. */
  made_by: string | null;
  /** The grant, or the link to an external issuer, of the token with which the feed was created. The feed ends with it. */
  made_under: string | null;
  created_at: Date;
  /** Accurate to five minutes. */
  last_read_at: Date | null;
}

export interface FeedTables {
  feed: FeedTable;
}
