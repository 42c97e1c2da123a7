export type { FeedContext } from './context.ts';
export { createFeed, type NewFeedRequest } from './create-feed.ts';
export { feedNotFound } from './faults.ts';
export { countFeeds, deleteFeed, listFeeds, removeAccountFeeds, viewFeed } from './find-feed.ts';
export { feedMigrations } from './migrations/index.ts';
export type { FeedContent } from './read-content.ts';
export { authenticateFeed, readFeed } from './read-feed.ts';
export { type StoredFeed, storeFeed } from './store-feed.ts';
export type { FeedChoice } from './tables.ts';
