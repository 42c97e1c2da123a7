import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { boundedGet, boundedRequest, type OutboundGet } from './bounded-request.ts';
import { OutboundError, type OutboundFault } from './outbound-error.ts';

const LIMITS: OutboundGet = { namedBy: 'operator', timeoutMs: 30_000, maxBytes: 1_000 };

async function serve(listener: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret?key=hidden`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function assertFails(url: string, kind: OutboundFault, options: Partial<OutboundGet> = {}): Promise<void> {
  await assert.rejects(boundedGet(url, { ...LIMITS, ...options }), (error) => {
    assert.ok(error instanceof OutboundError, String(error));
    assert.equal(error.kind, kind);
    assert.doesNotMatch(error.message, /secret|hidden/);
    return true;
  });
}

test('returns a reply of any status with its headers', async () => {
  await using server = await serve((request, response) => {
    response.writeHead(404, { 'x-sent': request.headers['x-given'] }).end('nothing hére');
  });
  const reply = await boundedGet(server.url, { ...LIMITS, headers: { 'x-given': 'yes' } });
  assert.deepEqual([reply.status, reply.text, reply.headers.get('x-sent')], [404, 'nothing hére', 'yes']);
});

test('accepts a reply of the largest size and refuses a larger one', async () => {
  await using server = await serve((_request, response) => response.end('x'.repeat(1_000)));
  assert.equal((await boundedGet(server.url, LIMITS)).text.length, 1_000);
  await assertFails(server.url, 'too_large', { maxBytes: 999 });
});

test('ends an endless reply, compressed or not', async () => {
  await using endless = await serve((_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  await assertFails(endless.url, 'too_large');
  await using bomb = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)));
  });
  await assertFails(bomb.url, 'too_large');
});

test('reports a timeout for silence before or within the reply', async () => {
  await using silent = await serve(() => {});
  await assertFails(silent.url, 'timeout', { timeoutMs: 50 });
  await using stalling = await serve((_request, response) => response.write('some'));
  await assertFails(stalling.url, 'timeout', { timeoutMs: 50 });
});

test('reports a reply that ends early as truncated', async () => {
  await using counted = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
  });
  await assertFails(counted.url, 'truncated');
  await using chunked = await serve((_request, response) => response.write('half', () => response.destroy()));
  await assertFails(chunked.url, 'truncated');
});

test('does not follow a redirect', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await assertFails(server.url, 'malformed');
  assert.equal(asked.length, 1);
});

test('reports a reply that is not UTF-8, HTTP or decompressible as malformed', async () => {
  await using latin = await serve((_request, response) => response.end(Buffer.from([0x68, 0xe9, 0x72])));
  await assertFails(latin.url, 'malformed');
  await using zipped = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('not compressed');
  });
  await assertFails(zipped.url, 'malformed');
  const other = createSocketServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    await assertFails(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`, 'malformed');
  } finally {
    other.close();
  }
});

test('ends a reply that switches to another protocol, and endless informational replies', async () => {
  const informational = 'HTTP/1.1 102 Processing\r\n\r\n';
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n';
  for (const raw of [upgrade, informational.repeat(21)]) {
    await using server = await serve((_request, response) => void response.socket?.write(raw));
    await assertFails(server.url, 'malformed');
  }
  const few = `${informational.repeat(20)}HTTP/1.1 204 No Content\r\n\r\n`;
  await using server = await serve((_request, response) => void response.socket?.write(few));
  assert.equal((await boundedGet(server.url, LIMITS)).status, 204);
});

test('reports an address without a listener as unreachable, with the reason', async () => {
  const server = await serve(() => {});
  await server[Symbol.asyncDispose]();
  await assert.rejects(boundedGet(server.url, LIMITS), { kind: 'unreachable', code: 'ECONNREFUSED' });
});

test('ends the request on an abort before or during it', async () => {
  await using silent = await serve(() => controller.abort());
  const controller = new AbortController();
  await assertFails(silent.url, 'aborted', { signal: controller.signal });
  await assertFails(silent.url, 'aborted', { signal: AbortSignal.abort() });
});

test('requests only web addresses without credentials', async () => {
  for (const url of [
    'file:///etc/passwd',
    'data:,x',
    'ftp://127.0.0.1/',
    'nowhere',
    'http://secret:hidden@127.0.0.1/',
  ]) {
    await assertFails(url, 'bad_address');
  }
});

test('does not quote an invalid header', async () => {
  const refused = boundedGet('http://127.0.0.1/', { ...LIMITS, headers: { key: 'hidden\nline' } });
  await assert.rejects(refused, (error) => error instanceof TypeError && !/hidden/.test(error.message));
});

test('sends the body of a POST request and returns the bytes of the reply', async () => {
  await using server = await serve((request, response) => {
    response.writeHead(201, { 'x-method': request.method, 'x-length': request.headers['content-length'] });
    request.pipe(response);
  });
  const body = Buffer.from([0xff, 0x00, 0x68]);
  const reply = await boundedRequest(server.url, { ...LIMITS, method: 'POST', body });
  assert.deepEqual([reply.status, reply.headers.get('x-method'), reply.headers.get('x-length')], [201, 'POST', '3']);
  assert.deepEqual(reply.bytes, body);
  await assert.rejects(boundedRequest(server.url, { ...LIMITS, method: 'POST', body, maxBytes: 2 }), {
    kind: 'too_large',
  });
});

test('neither follows the redirect of a POST request nor sends one to a private address that others named', async () => {
  const received: string[] = [];
  await using server = await serve((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const post = { ...LIMITS, method: 'POST', body: Buffer.from('{}') } as const;
  await assert.rejects(boundedRequest(server.url, post), { kind: 'malformed' });
  await assert.rejects(boundedRequest(server.url, { ...post, namedBy: 'others' }), { kind: 'not_public' });
  assert.deepEqual(received, ['POST /secret?key=hidden']);
});

test('refuses to send a body that is too large', async () => {
  const body = Buffer.alloc(8 * 1024 * 1024 + 1);
  await assert.rejects(boundedRequest('http://127.0.0.1/', { ...LIMITS, method: 'POST', body }), RangeError);
});
