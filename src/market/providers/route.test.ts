import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STOCKS } from '../../../test/support/market/stocks.ts';
import type { ErrorCode, MarketSourceName } from '../../contract/index.ts';
import { ProviderError, type ProviderFault, systemClock } from '../../platform/index.ts';
import type { BarQuery } from '../bars.ts';
import type { MarketProvider } from './provider.ts';
import { routeBars } from './route.ts';

const QUERY: BarQuery = {
  symbol: 'XYZ',
  frequency: '1D',
  adjustment: 'raw',
  session: 'regular',
  end: 1,
  limit: 1,
};

const ROWS = { rows: 3 };

/** A provider serves, fails with a fault, does not support the query, or has a denied license. */
type Behavior = 'serves' | ProviderFault | { readonly unsupported: string } | { readonly denied: string } | Error;

async function route(behaviors: Record<string, Behavior>, source: MarketSourceName = 'auto') {
  const requested: string[] = [];
  const providers = Object.entries(behaviors).map(([id, behavior]): MarketProvider => {
    const isDenied = typeof behavior === 'object' && 'denied' in behavior;
    const unsupported = typeof behavior === 'object' && 'unsupported' in behavior ? behavior.unsupported : null;
    return {
      id,
      requestsPerMinute: null,
      ...STOCKS,
      license: { name: isDenied ? behavior.denied : 'allowed', url: '' },
      frequencies: ['1D'],
      unsupportedReason: () => unsupported,
      fetchPage: () => assert.fail('read sends the requests'),
      ...(id === 'bundled' && { list: async () => [] }),
    };
  });
  const read = async ({ id }: MarketProvider) => {
    requested.push(id);
    const behavior = behaviors[id];
    if (behavior instanceof Error) throw behavior;
    if (typeof behavior === 'string' && behavior !== 'serves') throw new ProviderError(id, behavior, 'a detail');
    return ROWS;
  };
  const licenses = { allowsAll: false, allows: (name: string) => name === 'allowed' };
  const market = { clock: systemClock, licenses, providers };
  const { served, provider, fallbackUsed } = await routeBars(market, { source, query: QUERY, read });
  assert.equal(served, ROWS);
  return { provider: provider.id, fallbackUsed, requested };
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
  const failed = await route({ alpaca: 'TIMEOUT', massive: 'serves' });
  assert.deepEqual(failed, { provider: 'massive', fallbackUsed: true, requested: ['alpaca', 'massive'] });
});

test('does not count an unknown symbol as a failure', async () => {
  const { provider, fallbackUsed } = await route({ alpaca: 'NOT_FOUND', massive: 'serves' });
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
  const unknown: Record<string, Behavior> = { alpaca: 'serves', massive: 'NOT_FOUND' };
  await assertFault(unknown, 'NOT_FOUND', 'symbol: massive has no bars for "XYZ".', 'massive');
});

test('skips a provider whose license is denied, and the next one is not a fallback', async () => {
  const behaviors: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'serves' };
  assert.deepEqual(await route(behaviors), { provider: 'massive', fallbackUsed: false, requested: ['massive'] });
  const message = 'symbol: "XYZ" has the license "Theirs", which this service does not allow.';
  await assertFault(behaviors, 'LICENSE_DENIED', message, 'alpaca');
  const unknown: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'NOT_FOUND' };
  await assertFault(unknown, 'LICENSE_DENIED', message);
  const failing: Record<string, Behavior> = { alpaca: { denied: 'Theirs' }, massive: 'TIMEOUT' };
  await assertFault(failing, 'PROVIDER_FAILED', 'massive did not respond in time.');
});

test('refuses a symbol that no provider has', async () => {
  const behaviors: Record<string, Behavior> = {
    alpaca: 'NOT_FOUND',
    massive: { unsupported: 'No.' },
    dukascopy: 'NOT_FOUND',
  };
  await assertFault(behaviors, 'NOT_FOUND', 'symbol: alpaca and dukascopy have no bars for "XYZ".');
});

test('refuses a query that no provider supports, with the reasons', async () => {
  const behaviors = { alpaca: { unsupported: 'It has no bid prices.' }, massive: { unsupported: 'It has days only.' } };
  const reasons = 'alpaca: It has no bid prices. massive: It has days only.';
  await assertFault(behaviors, 'UNPROCESSABLE', `This request cannot be served. ${reasons}`);
  await assertFault({}, 'UNPROCESSABLE', 'No market data provider is configured.');
});

test('names the providers that failed without the details', async () => {
  const behaviors: Record<string, Behavior> = {
    alpaca: 'TIMEOUT',
    massive: 'UNAUTHORIZED',
    dukascopy: 'NOT_FOUND',
    bundled: 'serves',
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
