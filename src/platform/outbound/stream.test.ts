import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError, type OutboundFault } from './outbound-error.ts';
import { type OutboundStreamOptions, openStream } from './stream.ts';

const OPTIONS: OutboundStreamOptions = { namedBy: 'operator', stallMs: 30_000 };

async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readAll(url: string, options: Partial<OutboundStreamOptions> = {}): Promise<string> {
  await using reply = await openStream(url, { ...OPTIONS, ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function assertFails(work: Promise<unknown>, kind: OutboundFault): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OutboundError, String(error));
    assert.equal(error.kind, kind);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
}

test('returns an uncompressed reply in chunks with its status and headers', async () => {
  await using server = await serve(async (request, response) => {
    response.writeHead(206, { 'x-sent': `${request.headers.range} ${request.headers['accept-encoding']}` });
    response.write('one ');
    await sleep(20);
    response.end('two');
  });
  await using reply = await openStream(server.url, { ...OPTIONS, headers: { range: 'bytes=1-' } });
  assert.deepEqual([reply.status, reply.headers.get('x-sent')], [206, 'bytes=1- identity']);
  await using whole = await openStream(server.url, OPTIONS);
  assert.equal(whole.headers.get('x-sent'), 'undefined identity');
  assert.equal(await readAll(server.url), 'one two');
});

test('returns a redirect as a reply', async () => {
  await using server = await serve((_request, response) => response.writeHead(302, { location: '/there' }).end());
  await using reply = await openStream(server.url, OPTIONS);
  assert.deepEqual([reply.status, reply.headers.get('location')], [302, '/there']);
});

test('reports a timeout for silence, but not for a slow reply or a slow reader', async () => {
  await using silent = await serve(() => {});
  await assertFails(readAll(silent.url, { stallMs: 100 }), 'timeout');
  await using stalling = await serve((_request, response) => response.write('some'));
  await assertFails(readAll(stalling.url, { stallMs: 100 }), 'timeout');
  await using slow = await serve(async (_request, response) => {
    for (const letter of 'abcdefgh') {
      response.write(letter);
      await sleep(60);
    }
    response.end();
  });
  assert.equal(await readAll(slow.url, { stallMs: 400 }), 'abcdefgh');
  await using reply = await openStream(slow.url, { namedBy: 'operator', stallMs: 400 });
  let text = '';
  for await (const chunk of reply.chunks) {
    if (text === '') await sleep(600);
    text += Buffer.from(chunk).toString();
  }
  assert.equal(text, 'abcdefgh');
});

test('reports a reply that ends early as truncated and one marked as compressed as encoded', async () => {
  await using counted = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  });
  await assertFails(readAll(counted.url), 'truncated');
  await using zipped = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
  });
  await assertFails(readAll(zipped.url), 'encoded');
});

test('ends on an abort before, during and after the reply', async () => {
  await using stalling = await serve((_request, response) => response.write('some'));
  await assertFails(readAll(stalling.url, { signal: AbortSignal.abort() }), 'aborted');
  await assertFails(readAll(stalling.url, { signal: AbortSignal.timeout(50) }), 'aborted');
});

test('closes the connection when disposed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using endless = await serve((_request, response) => {
    response.on('close', resolve).write('some');
  });
  await (await openStream(endless.url, OPTIONS))[Symbol.asyncDispose]();
  await closed;
});

test('requests only web addresses without credentials', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'nowhere', 'http://secret:hidden@127.0.0.1/']) {
    await assertFails(openStream(url, OPTIONS), 'bad_address');
  }
});
