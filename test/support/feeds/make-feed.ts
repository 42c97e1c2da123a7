import { type FeedChoice, storeFeed } from '../../../src/feeds/index.ts';
import { type IdentityContext, readPrincipal } from '../../../src/identity/index.ts';

/** The daily bars of a bundled stock. */
export const BARS: FeedChoice = {
  kind: 'history',
  request: { symbol: 'AAPL', source: 'auto', timeframe: '1D', limit: 500, adjustment: 'split', session: 'regular' },
};

/** Stores a feed of an account, as a request of its browser session does. */
export async function makeFeed(
  identity: Pick<IdentityContext, 'database' | 'clock'>,
  accountId: string,
  choice: FeedChoice = BARS,
): Promise<{ readonly id: string; readonly token: string }> {
  const account = await readPrincipal(identity.database, accountId);
  if (account === null) throw new Error(`There is no account ${accountId}.`);
  const { feed, token } = await storeFeed(identity, account, { choice, name: null });
  return { id: feed.id, token };
}
