import type { ObservationsContext } from '../datasets/index.ts';
import type { ForecastContext } from '../forecasts/index.ts';
import type { MarketContext } from '../market/index.ts';

/** The dependencies of reading a feed. */
export interface FeedContext extends ObservationsContext {
  readonly market: MarketContext;
  readonly forecasts: Pick<ForecastContext, 'database' | 'checkpoints' | 'licenses'>;
}
