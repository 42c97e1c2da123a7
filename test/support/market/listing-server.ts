import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListedInstrument, MarketProvider } from '../../../src/market/index.ts';
import { ProviderError } from '../../../src/platform/index.ts';
import { type Reply, sendJson } from './loopback-provider.ts';
import { STOCKS } from './stocks.ts';

export interface ListingServer extends AsyncDisposable {
  readonly provider: MarketProvider;
  /** The instruments that the server lists; a test can change them. */
  instruments: ListedInstrument[];
  /** Replies to the next requests, one each; further requests get a correct page. */
  readonly script: (Reply | null)[];
  /** The number of requests so far. */
  requests: number;
}

export interface ListingServerOptions {
  readonly id?: string;
  readonly pageSize?: number;
  readonly serves?: MarketProvider['serves'];
}

/** Starts a provider over real HTTP on this machine that lists its instruments in pages. */
export async function startListingServer(
  instruments: readonly ListedInstrument[],
  { id = 'alpaca', pageSize = 1_000, serves = 'stocks' }: ListingServerOptions = {},
): Promise<ListingServer> {
  const server = createServer((request, response) => {
    listing.requests++;
    const from = Number(new URL(request.url ?? '/', 'http://loopback').searchParams.get('from'));
    const next = from + pageSize < listing.instruments.length ? from + pageSize : null;
    const reply = listing.script.shift() ?? sendJson({ page: listing.instruments.slice(from, from + pageSize), next });
    reply(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listing: ListingServer = {
    provider: listingAdapter(url, id, serves),
    instruments: [...instruments],
    script: [],
    requests: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return listing;
}

function listingAdapter(url: string, id: string, serves: MarketProvider['serves']): MarketProvider {
  return {
    ...STOCKS,
    id,
    serves,
    requestsPerMinute: 60_000,
    frequencies: ['1D'],
    fetchPage: async () => {
      throw new Error('Only the listing is expected.');
    },
    async *readListing(http) {
      for (let from: number | null = 0; from !== null; ) {
        const reply = (await http.getJson(`${url}/listing?from=${from}`)) as {
          readonly page: readonly ListedInstrument[];
          readonly next: number | null;
        };
        if (!Array.isArray(reply?.page)) throw new ProviderError(id, 'MALFORMED');
        yield reply.page;
        from = reply.next;
      }
    },
  };
}
