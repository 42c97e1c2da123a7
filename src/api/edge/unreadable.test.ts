import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../../platform/index.ts';
import { answerUnreadableRequest } from './unreadable.ts';

/** Returns what a client receives after an error with this code. */
async function answerFor(code: string, prepare: (socket: Socket) => void = () => undefined): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    prepare(socket);
    answerUnreadableRequest(Object.assign(new Error('x'), { code }), socket, {
      log: createLog('silent'),
      headMs: 60_000,
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const client = connect(address.port, '127.0.0.1');
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  client.on('error', () => undefined);
  await once(client, 'close');
  server.close();
  return received;
}

test('responds with the status of the error', async () => {
  assert.match(await answerFor('HPE_INVALID_METHOD'), /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(await answerFor('HPE_HEADER_OVERFLOW'), /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  const slow = await answerFor('ERR_HTTP_REQUEST_TIMEOUT');
  assert.match(slow, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(slow, /"The request headers did not arrive within 60 seconds\."/);
});

test('sends nothing on a broken connection', async () => {
  assert.equal(await answerFor('ECONNRESET'), '');
});

test('cuts off a response that has begun instead of sending another head', async () => {
  const midAnswer = (socket: Socket) => Object.assign(socket, { _httpMessage: { headersSent: true } });
  assert.equal(await answerFor('HPE_INVALID_METHOD', midAnswer), '');
});
