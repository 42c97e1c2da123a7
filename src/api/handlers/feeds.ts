import { createHash } from 'node:crypto';
import {
  createFeed,
  deleteFeed,
  type FeedChoice,
  type FeedContent,
  listFeeds,
  readFeed,
  viewFeed,
} from '../../feeds/index.ts';
import { accountOf, type Handlers } from '../call.ts';
import { BASE_PATH } from '../edge/paths.ts';
import { originOf } from '../limits/network.ts';
import type { ApiParts } from '../parts.ts';
import type { RenderedBody } from '../responses.ts';
import { renderForecastCsv } from './forecasts.ts';
import { renderHistoryCsv, renderObservationsCsv } from './market-data.ts';

export const feedHandlers = {
  async createFeed(call) {
    const { parts, body, signal } = call;
    const { name = null, ...choice } = body;
    const request = { choice: choice satisfies FeedChoice, name, origin: originOf(call), signal };
    const { feed, token } = await createFeed(parts, accountOf(call), request);
    return { ...viewFeed(feed), url: `${parts.siteUrl()}${BASE_PATH}/v1/feeds/${token}` };
  },

  async listFeeds(call) {
    return { feeds: (await listFeeds(call.parts, accountOf(call))).map(viewFeed) };
  },

  async deleteFeed(call) {
    const id = call.params.feed;
    await deleteFeed(call.parts, accountOf(call), { id, origin: originOf(call) });
    return { id, removed: true as const };
  },

  async readFeed(call) {
    return renderContent(call.parts, await readFeed(call.parts, accountOf(call), call.signal));
  },
} satisfies Partial<Handlers>;

/** Renders the content as the operation of its kind does. The ETag follows from the rows and their headings. */
async function renderContent(parts: ApiParts, content: FeedContent): Promise<RenderedBody> {
  switch (content.kind) {
    case 'history': {
      const { history, request } = content;
      return renderHistoryCsv(history, request).asFeed(etagOf('bars', history.exported.snapshot.sha256));
    }
    case 'observations': {
      const { exported, about } = content.observations;
      return renderObservationsCsv(content.observations).asFeed(etagOf(about.value_field, exported.snapshot.sha256));
    }
    case 'forecast': {
      const { id, content_cid } = content.forecast;
      return (await renderForecastCsv(parts, content.forecast)).asFeed(etagOf(id, content_cid ?? ''));
    }
  }
}

function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}"`;
}
