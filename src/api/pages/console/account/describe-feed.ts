import type { MarketReference, Operations, Output, PublicReference } from '../../../../contract/index.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { seriesAddress } from '../source-address.ts';

export type Feed = Output<Operations['listFeeds']>['feeds'][number];

/** What a feed contains, in words, and the address of the page that shows the same. */
export interface FeedWords {
  readonly text: string;
  readonly href: string;
}

export function describeFeed({ request }: Pick<Feed, 'request'>): FeedWords {
  if ('forecast_id' in request) {
    return { text: 'The predictions of a forecast', href: `/forecasts/${encodeURIComponent(request.forecast_id)}` };
  }
  if ('symbol' in request) {
    const { symbol, timeframe, source: provider, adjustment, session, price_side } = request;
    const market = { type: 'market', symbol, timeframe, provider, adjustment, session, price_side };
    const source = Object.fromEntries(Object.entries(market).filter(([, value]) => value !== undefined));
    return {
      text: `Bars of ${describeSource(source as MarketReference).replace(/ close\b/, '')}`,
      href: seriesAddress(source as MarketReference),
    };
  }
  const source = request.source as PublicReference;
  return { text: describeSource(source), href: seriesAddress(source) };
}
