import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Frame, readFrames } from '../../client/src/event-stream.ts';
import {
  Almanac,
  ConnectionError,
  ForecastFailedError,
  NotFoundError,
  UnexpectedReplyError,
} from '../../client/src/index.ts';
import { type Answer, data, disconnect, event, failure, hang, scriptFetch, stream } from './scripted-fetch.ts';

const ID = { forecast_id: 'ef_1' };

function open(...answers: Answer[]) {
  const { fetch, sent } = scriptFetch(...answers);
  return { almanac: new Almanac({ url: 'https://almanac.example', fetch, retryDelayMs: 0, maxRetries: 2 }), sent };
}

/** Lets pending reads continue. */
async function turn(): Promise<void> {
  for (let i = 0; i < 10; i++) await nextTurn();
}

async function idsOf(events: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
}

describe('the events of a forecast', () => {
  test('a stream that ends early continues after the last event, and no event comes twice', async () => {
    const { almanac, sent } = open(
      stream('retry: 2000\n\n', event(1, 'queued'), event(2, 'progress'), 'id: 3\nevent: progress\ndata: {"sta'),
      disconnect,
      stream(event(2, 'progress'), event(3, 'progress'), ': keep-alive\n\n', 'event: error\ndata: {}\n\n'),
      failure(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      stream(event(4, 'completed')),
    );
    assert.deepEqual(await idsOf(almanac.forecasts.watch(ID)), ['1', '2', '3', '4']);
    assert.deepEqual(
      sent.map(({ headers }) => headers.get('last-event-id')),
      [null, '2', '2', '3', '3'],
    );
  });

  test('ends when the service has no more events, and continues after a given one', async () => {
    const { almanac, sent } = open(() => new Response(null, { status: 204 }));
    assert.deepEqual(await idsOf(almanac.forecasts.watch(ID, { lastEventId: '7' })), []);
    assert.equal(sent[0]?.headers.get('last-event-id'), '7');
  });

  test('gives up after connections in a row that bring nothing, or if the forecast is gone', async () => {
    const { almanac, sent } = open(stream(': keep-alive\n\n'));
    await assert.rejects(idsOf(almanac.forecasts.watch(ID)), ConnectionError);
    assert.equal(sent.length, 3);
    const gone = open(stream(event(1, 'queued')), failure(404, 'NOT_FOUND'));
    await assert.rejects(idsOf(gone.almanac.forecasts.watch(ID)), NotFoundError);
  });

  test('what cannot continue is not tried again, and what the client does not know is left out', async () => {
    const gone = open(failure(404, 'NOT_FOUND'));
    await assert.rejects(idsOf(gone.almanac.forecasts.watch(ID)), NotFoundError);
    assert.equal(gone.sent.length, 1);
    assert.equal(gone.sent[0]?.headers.get('accept'), 'text/event-stream');
    const page = open(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    await assert.rejects(idsOf(page.almanac.forecasts.watch(ID)), UnexpectedReplyError);
    assert.equal(page.sent.length, 1);
    const newer = open(stream(event(1, 'paused'), 'id: 2\nevent: progress\ndata: {\n\n', event(3, 'completed')));
    assert.deepEqual(await idsOf(newer.almanac.forecasts.watch(ID)), ['3']);
    // The event `error` ends the connection, whatever comes after it.
    const ended = open(stream('event: error\ndata: {}\n\n', event(5, 'progress')), stream(event(1, 'completed')));
    assert.deepEqual(await idsOf(ended.almanac.forecasts.watch(ID)), ['1']);
  });

  test('an abort ends the events at once, also between those that came together', async () => {
    const controller = new AbortController();
    const { almanac } = open(stream(event(1, 'queued'), event(2, 'progress'), event(3, 'completed')));
    const ids: string[] = [];
    const reason = new Error('enough');
    const read = async () => {
      for await (const { id } of almanac.forecasts.watch(ID, { signal: controller.signal })) {
        ids.push(id);
        controller.abort(reason);
      }
    };
    await assert.rejects(read(), reason);
    assert.deepEqual(ids, ['1']);
  });

  test('a connection that is silent for 45 seconds is opened again, but not while the caller uses an event', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const silent: Answer = ({ signal }) => {
        const start = (controller: ReadableStreamDefaultController) => {
          controller.enqueue(new TextEncoder().encode(event(1, 'queued')));
          signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        };
        return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
      };
      const { almanac, sent } = open(silent, stream(event(2, 'completed')));
      const events = almanac.forecasts.watch(ID)[Symbol.asyncIterator]();
      assert.equal((await events.next()).value.id, '1');
      mock.timers.tick(100_000);
      const next = events.next();
      await turn();
      mock.timers.tick(44_999);
      await turn();
      assert.equal(sent.length, 1);
      mock.timers.tick(1);
      await turn();
      mock.timers.tick(10);
      assert.equal((await next).value.id, '2');
      assert.equal(sent.length, 2);
    } finally {
      mock.timers.reset();
    }
  });

  test('a stream that never ends its event is given up instead of filling the memory', async () => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(60_000)}\n`);
    let pulled = 0;
    const endless: Answer = () => {
      const pull = (controller: ReadableStreamDefaultController) => {
        pulled++;
        controller.enqueue(line);
      };
      return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } });
    };
    await assert.rejects(idsOf(open(endless).almanac.forecasts.watch(ID)), ConnectionError);
    assert.ok(pulled < 3 * 25, `${pulled} parts were read`);
    const comments = stream(`:${' '.repeat(2 ** 20 - 10)}\n`.repeat(3), event(1, 'completed'));
    assert.deepEqual(await idsOf(open(comments).almanac.forecasts.watch(ID)), ['1']);
  });

  test('leaving the loop ends the connection', async () => {
    let signal: AbortSignal | undefined;
    const { almanac } = open((request) => {
      signal = request.signal;
      return stream(event(1, 'queued'), event(2, 'progress'))(request);
    });
    for await (const _ of almanac.forecasts.watch(ID)) break;
    assert.equal(signal?.aborted, true);
  });

  test('events are read however the bytes are cut, with every kind of line end', async () => {
    const bytes = new TextEncoder().encode(
      'id: 1\r\nevent: a\r\ndata: ü\r\ndata:x\r\n\r\nid: 2\rdata\r\r: c\n\ndata: cut',
    );
    for (let size = 1; size <= bytes.length; size++) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      });
      const frames: Frame[] = [];
      for await (const frame of readFrames(body, () => {})) frames.push(frame);
      const expected = [
        { id: '1', event: 'a', data: 'ü\nx' },
        { id: '2', event: 'message', data: '' },
      ];
      assert.deepEqual(frames, expected, `in parts of ${size} bytes`);
    }
  });

  test('run follows a forecast, reads it without the key of its creation, and throws if it failed', async () => {
    const created = data({ ...ID, status: 'queued' });
    const { almanac, sent } = open(
      created,
      stream(event(1, 'queued'), event(2, 'completed')),
      data({ ...ID, status: 'completed', predictions: [] }),
    );
    const kinds: string[] = [];
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    const forecast = await almanac.forecasts.run(request, { onEvent: ({ kind }) => kinds.push(kind) });
    assert.deepEqual([forecast.status, kinds], ['completed', ['queued', 'completed']]);
    assert.deepEqual(
      sent.map(({ headers }) => headers.has('idempotency-key')),
      [true, false, false],
    );

    const error = { code: 'CANCELED', message: 'The forecast was canceled.', retryable: false };
    const failed = open(created, stream(event(1, 'failed')), data({ ...ID, status: 'failed', error }));
    await assert.rejects(
      failed.almanac.forecasts.run(request),
      (caught) =>
        caught instanceof ForecastFailedError && caught.code === 'CANCELED' && caught.forecast.status === 'failed',
    );
  });

  test('run reads the forecast if its events cannot be followed', async () => {
    const { almanac } = open(
      data({ ...ID, status: 'queued' }),
      ...[disconnect, disconnect, disconnect],
      data({ ...ID, status: 'completed' }),
    );
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    assert.equal((await almanac.forecasts.run(request)).status, 'completed');
  });

  test('run cancels a forecast whose creation was not answered yet, with the same key', async () => {
    const controller = new AbortController();
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    const reason = new Error('enough');
    const { almanac, sent } = open(hang, data({ ...ID, status: 'queued' }), data({}));
    const run = almanac.forecasts.run(request, { signal: controller.signal, cancelOnAbort: true });
    await turn();
    controller.abort(reason);
    await assert.rejects(run, reason);
    const [first, second] = sent.map(({ headers }) => headers.get('idempotency-key'));
    assert.ok(first !== null && first === second);
    assert.match(sent[2]?.url.pathname ?? '', /ef_1\/cancel$/);
  });

  test('run awaits the functions of the caller, and names the forecast in later errors', async () => {
    const created = data({ ...ID, status: 'queued' });
    const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
    const { almanac } = open(created, stream(event(1, 'queued'), event(2, 'completed')), failure(403, 'DENIED'));
    const order: string[] = [];
    const slowly = async (name: string) => {
      await nextTurn();
      order.push(name);
    };
    const run = almanac.forecasts.run(request, {
      onCreated: () => slowly('created'),
      onEvent: ({ kind }) => slowly(kind),
    });
    await assert.rejects(run, { status: 403, forecastId: 'ef_1' });
    assert.deepEqual(order, ['created', 'queued', 'completed']);
    const failing = open(created, stream(event(1, 'queued')));
    const onEvent = () => Promise.reject(new Error('of the caller'));
    await assert.rejects(failing.almanac.forecasts.run(request, { onEvent }), /^Error: of the caller$/);
  });

  test('run cancels the forecast after an abort only if it was asked to', async () => {
    for (const cancelOnAbort of [true, false]) {
      const controller = new AbortController();
      const { almanac, sent } = open(data({ ...ID, status: 'queued' }), stream(event(1, 'queued')), data({}));
      const request = { source: { type: 'inline' as const, points: [] }, horizon: 1 };
      const onEvent = () => controller.abort(new Error('enough'));
      await assert.rejects(
        almanac.forecasts.run(request, { signal: controller.signal, cancelOnAbort, onEvent }),
        /^Error: enough$/,
      );
      const canceled = sent.some(({ url }) => url.pathname.endsWith('/ef_1/cancel'));
      assert.equal(canceled, cancelOnAbort);
    }
  });
});
