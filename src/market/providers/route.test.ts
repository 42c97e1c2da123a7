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

/** A provider serves, fails with a fault, does not support the query, or has a denied license. */
type Behavior = 'serves' | ProviderFault | { readonly unsupported: string } | { readonly denied: string } | Error;

async function route(behaviors: Record<string, Behavior>, source: MarketSourceName = 'auto') {
  const requested: string[] = [];
  const providers = Object.entries(behaviors).map(([id, behavior]): MarketProvider => {
    const unsupported = typeof behavior === 'object' && 'unsupported' in behavior ? behavior.unsupported : null;
    return {
      id,
      requestsPerMinute: null,
      frequencies: ['1D'],
      kind: 'exchange',
      unsupportedReason: () => unsupported,
      fetchPage: () => assert.fail('collect sends the requests'),
      describe: async () => null,
    };
  });
  const collect = async ({ id }: MarketProvider): Promise<CollectedBars> => {
    requested.push(id);
    const behavior = behaviors[id];
    if (behavior instanceof Error) throw behavior;
    if (typeof behavior === 'string' && behavior !== 'serves') throw new ProviderError(id, behavior, 'a detail');
    return ROWS;
  };
  const deniedLicense = async ({ id }: MarketProvider): Promise<string | null> => {
    const behavior = behaviors[id];
    return typeof behavior === 'object' && 'denied' in behavior ? behavior.denied : null;
  };
  const routed = await routeBars({ source, query: QUERY, providers, collect, deniedLicense });
  const { provider, fallbackUsed, ...rows } = routed;
  assert.deepEqual(rows, ROWS);
  return { provider, fallbackUsed, requested };
}

async function assertFault(
  behaviors: Record<string, Behavior>,
  code: ErrorCode,
  message: string,
  source?: MarketSourceName,
): Promise<void> {
  await assert.rejects(route(behaviors, source), { name: 'Fault', code, message });
}

test('uses the first provider that supports the query', async () => {
  const behaviors: Record<string, Behavior> = { alpaca: { unsupported: 'No.' }, massive: 'serves', bundled: 'serves' };
  assert.deepEqual(await route(behaviors), { provider: 'massive', fallbackUsed: false, requested: ['massive'] });
});

test('uses the next provider after a failure and reports the fallback', async () => {
  const failed = await route({ alpaca: 'TIMEOUT', massive: 'UNKNOWN_SYMBOL', bundled: 'serves' });
  assert.deepEqual(failed, { provider: 'bundled', fallbackUsed: true, requested: ['alpaca', 'massive', 'bundled'] });
});

test('does not count an unknown symbol as a failure', async () => {
  const { provider, fallbackUsed } = await route({ alpaca: 'UNKNOWN_SYMBOL', massive: 'serves' });
  assert.deepEqual([provider, fallbackUsed], ['massive', false]);
});

test('uses only the provider that the caller named', async () => {
  const names: [MarketSourceName, string][] = [
    ['alpaca', 'alpaca'],
    ['provider_a', 'alpaca'],
    ['provider_b', 'massive'],
    ['provider_c', 'dukascopy'],
    ['bundled', 'bundled'],
  ];
  const all: Record<string, Behavior> = {
    alpaca: 'serves',
    massive: 'serves',
    dukascopy: 'serves',
    bundled: 'serves',
  };
  for (const [source, id] of names) {
    assert.deepEqual(await route(all, source), { provider: id, fallbackUsed: false, requested: [id] });
  }
  const failing: Record<string, Behavior> = { alpaca: 'serves', massive: 'UNAVAILABLE' };
  await assertFault(failing, 'PROVIDER_FAILED', 'massive is unavailable.', 'provider_b');
  await assertFault(
    failing,
    'UNPROCESSABLE',
    'source: dukascopy is not configured. Use "auto" to let the service choose.',
    'provider_c',
  );
  const unknown: Record<string, Behavior> = { alpaca: 'serves', massive: 'UNKNOWN_SYMBOL' };
  await assertFault(unknown, 'NOT_FOUND', 'symbol: massive has no bars for "XYZ".', 'massive');
});

test('skips a provider whose license is denied, and the next one is not a fallback', async () => {
  const behaviors: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'serves' };
  assert.deepEqual(await route(behaviors), { provider: 'massive', fallbackUsed: false, requested: ['massive'] });
  const message = 'symbol: "XYZ" has the license "Theirs", which this service does not allow.';
  await assertFault(behaviors, 'LICENSE_DENIED', message, 'alpaca');
  const unknown: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'UNKNOWN_SYMBOL' };
  await assertFault(unknown, 'LICENSE_DENIED', message);
  const failing: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'TIMEOUT' };
  await assertFault(failing, 'PROVIDER_FAILED', 'massive did not respond in time.');
});

test('refuses a symbol that no provider has', async () => {
  const behaviors: Record<string, Behavior> = {
    alpaca: 'UNKNOWN_SYMBOL',
    massive: { unsupported: 'No.' },
    bundled: 'UNKNOWN_SYMBOL',
  };
  await assertFault(behaviors, 'NOT_FOUND', 'symbol: alpaca and bundled have no bars for "XYZ".');
});

test('refuses a query that no provider supports, with the reasons', async () => {
  const behaviors = { alpaca: { unsupported: 'It has no bid prices.' }, bundled: { unsupported: 'It has days only.' } };
  const reasons = 'alpaca: It has no bid prices. bundled: It has days only.';
  await assertFault(behaviors, 'UNPROCESSABLE', `No provider can serve this request. ${reasons}`);
  await assertFault({}, 'UNPROCESSABLE', 'No market data provider is configured.');
});

test('names the providers that failed without the details', async () => {
  const behaviors: Record<string, Behavior> = {
    alpaca: 'TIMEOUT',
    massive: 'UNAUTHORIZED',
    bundled: 'UNKNOWN_SYMBOL',
  };
  await assertFault(
    behaviors,
    'PROVIDER_FAILED',
    'alpaca did not respond in time; massive rejected the credential of this service.',
  );
});

test('passes on errors that are not a provider’s', async () => {
  const abort = new DOMException('gone', 'AbortError');
  await assert.rejects(route({ alpaca: abort, massive: 'serves' }), abort);
});
