import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import {
  Almanac,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  LimitedError,
  NotFoundError,
  TimeoutError,
  UnauthenticatedError,
  UnexpectedReplyError,
} from '../../client/src/index.ts';
import { type Answer, data, disconnect, failure, scriptFetch } from './scripted-fetch.ts';

function open(...answers: Answer[]) {
  const { fetch, sent } = scriptFetch(...answers);
  const almanac = new Almanac({ url: 'https://almanac.example', key: 'k', fetch, retryDelayMs: 0, maxRetries: 1 });
  return { almanac, fetch, sent };
}

const json = (body: string, status = 200, headers: Record<string, string> = {}): Answer => {
  return () => new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
};

const CSV = { 'content-type': 'text/csv; charset=utf-8' };

/** A file whose first bytes arrive and whose rest never does. */
const stalled: Answer = ({ signal }) => {
  const start = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new TextEncoder().encode('timestamp,0.5\n'));
    signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
  };
  return new Response(new ReadableStream({ start }), { headers: CSV });
};

describe('attempts of the client', () => {
  test('a call leaves no listener on the signal of the caller, whatever happens', async () => {
    const { signal } = new AbortController();
    const count = () => getEventListeners(signal, 'abort').length;
    for (const answer of [data({}), disconnect, failure(404, 'NOT_FOUND'), failure(503, 'UNAVAILABLE'), json('<')]) {
      await open(answer)
        .almanac.account.readAccess({}, { signal })
        .catch(() => {});
      assert.equal(count(), 0);
    }
    const { fetch } = open(data({}));
    const broken = new Almanac({ url: 'https://a.example', key: () => Promise.reject(new Error('no key')), fetch });
    await assert.rejects(broken.account.readAccess({}, { signal }), /^Error: no key$/);
    const file = () => new Response('a,b\n', { headers: CSV });
    const exported = await open(file).almanac.forecasts.export({ forecast_id: 'e', format: 'csv' }, { signal });
    assert.equal(count(), 1, 'the signal can end the download');
    await exported.text();
    for await (const _ of open(() => new Response(null, { status: 204 })).almanac.forecasts.watch({
      forecast_id: 'e',
    }));
    assert.equal(count(), 0);
  });

  test('the time limit and the signal also end a key and a fetch that never come', async () => {
    const never = () => new Promise<never>(() => {});
    const { fetch } = open(data({}));
    const reason = new Error('enough');
    for (const almanac of [
      new Almanac({ url: 'https://a.example', key: never, fetch, maxRetries: 0 }),
      new Almanac({ url: 'https://a.example', fetch: never, maxRetries: 0 }),
    ]) {
      await assert.rejects(almanac.account.readAccess({}, { timeoutMs: 5 }), TimeoutError);
      const signal = AbortSignal.timeout(5);
      await assert.rejects(almanac.account.readAccess({}, { signal }), (error) => error === signal.reason);
      await assert.rejects(almanac.account.readAccess({}, { signal: AbortSignal.abort(reason) }), reason);
    }
    const bad = new Almanac({ url: 'https://a.example', key: () => 'two words', fetch });
    await assert.rejects(bad.account.readAccess(), /^TypeError: key: must be/);
  });

  test('the headers of the caller replace others, however they are written, and go only to the service', async () => {
    const { almanac, sent } = open(data({ forecast_id: 'ef_1' }));
    const init: RequestInit[] = [];
    const watched = new Almanac({
      url: 'https://almanac.example',
      fetch: async (_url, given) => {
        init.push(given);
        return data({})();
      },
    });
    await watched.account.readAccess();
    assert.equal(init[0]?.redirect, 'manual');
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    const headers = { 'Idempotency-Key': 'mine', Authorization: 'Bearer other', 'X-Request-Id': 'one' };
    await almanac.forecasts.create(request, { headers });
    const names = ['idempotency-key', 'authorization', 'x-request-id', 'content-type', 'accept'];
    assert.deepEqual(
      names.map((name) => sent[0]?.headers.get(name)),
      ['mine', 'Bearer other', 'one', 'application/json', '*/*'],
    );
  });

  test('an option that cannot be sent is named, and nothing is sent', async () => {
    const { almanac, sent } = open(data({}));
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    await assert.rejects(almanac.forecasts.create(request, { idempotencyKey: 'ключ' }), /^TypeError: .*idempotencyKey/);
    const id = { forecast_id: 'e' };
    await assert.rejects(almanac.forecasts.delete(id, { ifMatch: 'a\nb' }), /^TypeError: deleteForecast: ifMatch/);
    await assert.rejects(almanac.forecasts.read(id, { headers: { 'a b': 'c' } }), /^TypeError: .*headers\.a b/);
    assert.equal(sent.length, 0);
  });

  test('an error keeps its status, even if its body cannot be read', async () => {
    for (const [status, Kind] of [
      [400, InvalidRequestError],
      [401, UnauthenticatedError],
      [404, NotFoundError],
      [409, ConflictError],
    ] as const) {
      for (const body of ['', '<html>', '{"error":']) {
        const { almanac, sent } = open(json(body, status));
        await assert.rejects(almanac.account.readAccess(), Kind);
        assert.equal(sent.length, 1);
      }
    }
    const limited = open(json('', 429, { 'retry-after': '120' }));
    const isLimited = (error: unknown) => error instanceof LimitedError && error.retryAfterMs === 120_000;
    await assert.rejects(limited.almanac.account.readAccess(), isLimited);
    assert.equal(limited.sent.length, 1);
  });

  test('a page that claims to be JSON is not taken for a reply that was cut off', async () => {
    const { almanac, sent } = open(json('<html></html>'));
    await assert.rejects(almanac.account.readAccess(), UnexpectedReplyError);
    assert.equal(sent.length, 1);
    await assert.rejects(open(json('{"ok":false}')).almanac.series.search({ query: 'a' }), UnexpectedReplyError);
    await assert.rejects(open(json('')).almanac.account.readAccess(), ConnectionError);
    const file = () => new Response('a,b\n', { headers: CSV });
    await assert.rejects(open(file).almanac.account.readAccess(), UnexpectedReplyError, 'a file where there is none');
  });

  test('the download of a file fails if nothing arrives, if it breaks or if the caller aborts, and can be canceled', async () => {
    const input = { forecast_id: 'e', format: 'csv' } as const;
    const slow = await open(stalled).almanac.forecasts.export(input, { timeoutMs: 20 });
    await assert.rejects(slow.text(), TimeoutError);
    const cut: Answer = () => {
      const pull = (controller: ReadableStreamDefaultController) => controller.error(new TypeError('terminated'));
      return new Response(new ReadableStream({ pull }), { headers: CSV });
    };
    const broken = await open(cut).almanac.forecasts.export(input);
    await assert.rejects(
      broken.bytes(),
      (error) => error instanceof ConnectionError && error.cause instanceof TypeError,
    );

    const controller = new AbortController();
    const aborted = await open(stalled).almanac.forecasts.export(input, { signal: controller.signal });
    const reading = aborted.text();
    controller.abort(new Error('enough'));
    await assert.rejects(reading, /^Error: enough$/);

    let signal: AbortSignal | undefined;
    const unread = await open((request) => {
      signal = request.signal;
      return stalled(request);
    }).almanac.forecasts.export(input);
    await unread.cancel();
    assert.equal(signal?.aborted, true);
  });
});
