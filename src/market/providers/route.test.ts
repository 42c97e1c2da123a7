import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode, MarketSourceName } from '../../contract/index.ts';
import type { BarQuery } from '../bars.ts';
import type { CollectedBars } from './collect-bars.ts';
import type { MarketProvider } from './provider.ts';
import { ProviderError, type ProviderFault } from './provider-error.ts';
import { routeBars } from './route.ts';

const QUERY: BarQuery = {
  symbol: 'XYZ',
  frequency: '1D',
  adjustment: 'raw',
  session: 'regular',
  priceSide: 'bid',
  end: 1,
  limit: 1,
};

const NONE = new Float64Array();
const ROWS: CollectedBars = {
  bars: { timestamps: NONE, columns: { open: NONE, high: NONE, low: NONE, close: NONE, volume: NONE } },
  dropped: { duplicate: 3 },
  reachedStart: true,
};

/** What a provider does: serves, fails by name, refuses the query with a sentence, or is under a denied licence. */
type Behaviour = 'serves' | ProviderFault | { readonly refuses: string } | { readonly denied: string } | Error;

async function route(behaviours: Record<string, Behaviour>, source: MarketSourceName = 'auto') {
  const asked: string[] = [];
  const providers = Object.entries(behaviours).map(([id, behaviour]): MarketProvider => {
    const refusal = typeof behaviour === 'object' && 'refuses' in behaviour ? behaviour.refuses : null;
    return {
      id,
      requestsPerMinute: null,
      frequencies: ['1D'],
      kind: 'exchange',
      refuses: () => refusal,
      fetchPage: () => assert.fail('collect asks'),
      describe: async () => null,
    };
  });
  const collect = async ({ id }: MarketProvider): Promise<CollectedBars> => {
    asked.push(id);
    const behaviour = behaviours[id];
    if (behaviour instanceof Error) throw behaviour;
    if (typeof behaviour === 'string' && behaviour !== 'serves') throw new ProviderError(id, behaviour, 'a detail');
    return ROWS;
  };
  const deniedLicense = async ({ id }: MarketProvider): Promise<string | null> => {
    const behaviour = behaviours[id];
    return typeof behaviour === 'object' && 'denied' in behaviour ? behaviour.denied : null;
  };
  const routed = await routeBars({ source, query: QUERY, providers, collect, deniedLicense });
  const { provider, fallbackUsed, ...rows } = routed;
  assert.deepEqual(rows, ROWS);
  return { provider, fallbackUsed, asked };
}

async function assertFault(
  behaviours: Record<string, Behaviour>,
  code: ErrorCode,
  message: string,
  source?: MarketSourceName,
): Promise<void> {
  await assert.rejects(route(behaviours, source), { name: 'Fault', code, message });
}

test('the first provider that can, serves', async () => {
  const behaviours: Record<string, Behaviour> = { alpaca: { refuses: 'No.' }, massive: 'serves', bundled: 'serves' };
  assert.deepEqual(await route(behaviours), { provider: 'massive', fallbackUsed: false, asked: ['massive'] });
});

test('after a failure the next one serves, and it shows', async () => {
  const failed = await route({ alpaca: 'TIMEOUT', massive: 'UNKNOWN_SYMBOL', bundled: 'serves' });
  assert.deepEqual(failed, { provider: 'bundled', fallbackUsed: true, asked: ['alpaca', 'massive', 'bundled'] });
});

test('not to know a symbol is no failure', async () => {
  const { provider, fallbackUsed } = await route({ alpaca: 'UNKNOWN_SYMBOL', massive: 'serves' });
  assert.deepEqual([provider, fallbackUsed], ['massive', false]);
});

test('a named provider is the only one', async () => {
  const names: [MarketSourceName, string][] = [
    ['alpaca', 'alpaca'],
    ['provider_a', 'alpaca'],
    ['provider_b', 'massive'],
    ['provider_c', 'dukascopy'],
    ['bundled', 'bundled'],
  ];
  const everybody: Record<string, Behaviour> = {
    alpaca: 'serves',
    massive: 'serves',
    dukascopy: 'serves',
    bundled: 'serves',
  };
  for (const [source, id] of names) {
    assert.deepEqual(await route(everybody, source), { provider: id, fallbackUsed: false, asked: [id] });
  }
  const failing: Record<string, Behaviour> = { alpaca: 'serves', massive: 'UNAVAILABLE' };
  await assertFault(failing, 'PROVIDER_FAILED', 'massive is not working.', 'provider_b');
  await assertFault(
    failing,
    'UNPROCESSABLE',
    'source: dukascopy is not configured here; auto asks whoever is.',
    'provider_c',
  );
  const unknown: Record<string, Behaviour> = { alpaca: 'serves', massive: 'UNKNOWN_SYMBOL' };
  await assertFault(unknown, 'NOT_FOUND', 'massive has no bars under the symbol "XYZ".', 'massive');
});

test('a provider whose licence is denied is not asked, and the next one is no fallback', async () => {
  const behaviours: Record<string, Behaviour> = { alpaca: { denied: 'Theirs' }, massive: 'serves' };
  assert.deepEqual(await route(behaviours), { provider: 'massive', fallbackUsed: false, asked: ['massive'] });
  const message = 'symbol: "XYZ" is under the licence "Theirs", which may not be used here.';
  await assertFault(behaviours, 'LICENSE_DENIED', message, 'alpaca');
  const unknown: Record<string, Behaviour> = { alpaca: { denied: 'Theirs' }, massive: 'UNKNOWN_SYMBOL' };
  await assertFault(unknown, 'LICENSE_DENIED', message);
  const failing: Record<string, Behaviour> = { alpaca: { denied: 'Theirs' }, massive: 'TIMEOUT' };
  await assertFault(failing, 'PROVIDER_FAILED', 'massive took too long.');
});

test('nobody knows the symbol', async () => {
  const behaviours: Record<string, Behaviour> = {
    alpaca: 'UNKNOWN_SYMBOL',
    massive: { refuses: 'No.' },
    bundled: 'UNKNOWN_SYMBOL',
  };
  await assertFault(behaviours, 'NOT_FOUND', 'alpaca and bundled have no bars under the symbol "XYZ".');
});

test('nobody can serve the query', async () => {
  const behaviours = { alpaca: { refuses: 'It has no bid prices.' }, bundled: { refuses: 'It has days only.' } };
  const reasons = 'alpaca: It has no bid prices. bundled: It has days only.';
  await assertFault(behaviours, 'UNPROCESSABLE', `No provider can serve this. ${reasons}`);
  await assertFault({}, 'UNPROCESSABLE', 'No market data provider is configured.');
});

test('those that failed are named, without the details', async () => {
  const behaviours: Record<string, Behaviour> = {
    alpaca: 'TIMEOUT',
    massive: 'UNAUTHORIZED',
    bundled: 'UNKNOWN_SYMBOL',
  };
  await assertFault(behaviours, 'PROVIDER_FAILED', 'alpaca took too long; massive refused our credential.');
});

test('what is not a provider’s fault passes through', async () => {
  const abort = new DOMException('gone', 'AbortError');
  await assert.rejects(route({ alpaca: abort, massive: 'serves' }), abort);
});
