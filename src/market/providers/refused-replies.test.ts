import assert from 'node:assert/strict';
import { ADAPTER_SCENES, seriesOf } from '../../../test/support/market/adapter-scenes.ts';
import { forEachDatabase } from '../../../test/support/platform/database.ts';
import { sendText } from '../../../test/support/platform/wire-server.ts';
import {
  openProviderClient,
  outboundMigrations,
  type ProviderClient,
  readProviderStates,
} from '../../platform/index.ts';

// A reply that is valid JSON but that the adapter refuses is a failure of the provider, like a reply that is not JSON.

const MIGRATED = { migrations: [outboundMigrations] };
const DAY = Date.UTC(2024, 2, 13);

for (const scene of ADAPTER_SCENES) {
  forEachDatabase(`${scene.name}: replies of another shape open the breaker`, MIGRATED, async ({ database }) => {
    await using running = await scene.start();
    const { provider, server, now } = running;
    const { bulk, readListing } = provider;
    const series = { ...seriesOf(scene, running), end: now, limit: 10 };
    const days = { symbols: [scene.symbol], adjustment: 'raw', start: DAY, end: DAY + 1 } as const;
    const reads: Record<string, (http: ProviderClient) => Promise<unknown>> = {
      page: (http) => provider.fetchPage(series, null, http),
      ...(readListing && { listing: (http) => readListing.call(provider, http)[Symbol.asyncIterator]().next() }),
      ...(bulk?.by === 'symbols' && { days: (http) => bulk.fetchDays(days, null, http) }),
      ...(bulk?.by === 'date' && { days: (http) => bulk.fetchDate(DAY, 'raw', http) }),
    };
    for (const [name, read] of Object.entries(reads)) {
      for (const text of ['7', 'null', '"text"', '[[]]', '{"status":"ERROR","bars":7}']) {
        server.script.push(sendText(text));
        const http = openProviderClient({ database }, { id: name, requestsPerMinute: 60_000 });
        await assert.rejects(read(http), { fault: 'MALFORMED' }, `${name}: ${text}`);
        assert.equal(server.script.length, 0, `${name} reads ${text} once`);
      }
    }
    const states = (await readProviderStates(database)).map((one) => [one.provider, one.state, one.lastFault]);
    const opened = Object.keys(reads).map((name) => [name, 'open', 'MALFORMED']);
    assert.deepEqual(states, opened.toSorted());
  });
}
