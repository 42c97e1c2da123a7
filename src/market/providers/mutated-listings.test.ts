import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADAPTER_SCENES, type RunningScene } from '../../../test/support/market/adapter-scenes.ts';
import { mutateJson } from '../../../test/support/market/mutate-json.ts';
import { mutateReply } from '../../../test/support/market/mutate-reply.ts';
import { createSeededRandom, type Random } from '../../../test/support/platform/seeded-random.ts';
import { createProviderClient, type ProviderClient, ProviderError } from '../../platform/index.ts';
import { checkBars } from '../check-bars.ts';
import type { ListedInstrument, RawBar } from './provider.ts';

// Damaged listings and bulk replies: the bars of one symbol are in mutated-adapters.test.ts.

const COUNT = Number(process.env.ALMANAC_MUTATED_REPLIES ?? 300);
const DAY = Date.UTC(2024, 2, 13);

/** Creates a client that damages the correct replies of a server. */
function damagingClient({ provider }: RunningScene, random: Random, replies: Map<string, string>): ProviderClient {
  const damaged = new Map<string, Buffer>();
  return createProviderClient({
    provider: provider.id,
    gate: null,
    sleep: async () => {},
    request: async (url, { headers = {} }) => {
      const text = replies.get(url) ?? (await (await fetch(url, { headers })).text());
      replies.set(url, text);
      const bytes = damaged.get(url) ?? mutateReply(random, text, mutateJson);
      damaged.set(url, bytes);
      return { status: 200, headers: new Headers(), bytes };
    },
  });
}

/** Runs one case for each seed. A case may only fail with a `ProviderError`. Returns how many did not fail. */
async function countAccepted(
  running: RunningScene,
  check: (http: ProviderClient, seed: number) => Promise<void>,
): Promise<number> {
  const replies = new Map<string, string>();
  let accepted = 0;
  for (let seed = 0; seed < COUNT; seed++) {
    try {
      await check(damagingClient(running, createSeededRandom(seed), replies), seed);
      accepted += 1;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw new Error(`case ${seed}`, { cause: error });
    }
  }
  return accepted;
}

function checkInstrument({ symbol, name, aliases, exchange, units, status }: ListedInstrument): void {
  assert.match(symbol, /^[A-Z0-9]+(\.[A-Z]+)?$/);
  assert.ok(typeof name === 'string' && name.trim() !== '');
  assert.ok(aliases.every((alias) => typeof alias === 'string'));
  assert.ok(exchange === null || typeof exchange === 'string');
  assert.match(units, /^[A-Z]{2,}$/);
  assert.ok(status === 'active' || status === 'delisted');
}

/** Checks that `checkBars` can judge the rows of a bulk reply. */
function checkDays(rows: readonly RawBar[], now: number): void {
  const query = { frequency: '1D', session: 'regular', start: DAY, end: DAY + 1, limit: 10 } as const;
  const { timestamps } = checkBars(rows, query, now).bars;
  assert.ok([...timestamps].every((timestamp) => timestamp === DAY));
}

for (const scene of ADAPTER_SCENES) {
  test(`${scene.name}: lists only well-formed instruments in ${COUNT} mutated listings`, async () => {
    await using running = await scene.start();
    const { provider } = running;
    if (provider.readListing === undefined) return;
    const read = provider.readListing.bind(provider);
    const accepted = await countAccepted(running, async (http) => {
      const symbols = new Set<string>();
      for await (const batch of read(http)) {
        for (const instrument of batch) {
          checkInstrument(instrument);
          assert.ok(!symbols.has(instrument.symbol), 'listed twice');
          symbols.add(instrument.symbol);
        }
      }
    });
    assert.ok(accepted > 0 && accepted < COUNT, `${accepted} of ${COUNT} accepted`);
  });

  test(`${scene.name}: returns only requested days in ${COUNT} mutated replies`, async () => {
    await using running = await scene.start();
    const { provider, now } = running;
    const { bulk } = provider;
    if (bulk === undefined) return;
    const query = { symbols: [scene.symbol], adjustment: 'raw', start: DAY, end: DAY + 1 } as const;
    const accepted = await countAccepted(running, async (http) => {
      if (bulk.by === 'symbols') {
        const { bars } = await bulk.fetchDays(query, null, http);
        assert.ok([...bars.keys()].every((symbol) => symbol === scene.symbol));
        for (const rows of bars.values()) checkDays(rows, now);
      } else {
        for (const [symbol, row] of await bulk.fetchDate(DAY, 'raw', http)) {
          assert.equal(provider.canonicalSymbol(symbol), symbol);
          checkDays([row], now);
        }
      }
    });
    assert.ok(accepted > 0 && accepted < COUNT, `${accepted} of ${COUNT} accepted`);
  });
}
