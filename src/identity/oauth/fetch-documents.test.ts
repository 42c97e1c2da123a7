import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movableClock } from '../../../test/support/identity/identity.ts';
import { OutboundError } from '../../platform/index.ts';
import { findDocumentFault, openClientDocuments } from './fetch-documents.ts';

const ID = 'https://agent.example/client.json';
const REDIRECT_URI = 'https://agent.example/callback';

/** Opens the reader on a server whose replies the test chooses. */
function open() {
  const clock = movableClock();
  const server = { name: 'First name', requests: 0, error: undefined as Error | undefined };
  const get = async () => {
    server.requests++;
    if (server.error) throw server.error;
    const uris = [REDIRECT_URI, 'https://evil.example/'];
    const text = JSON.stringify({ client_id: ID, client_name: server.name, redirect_uris: uris });
    return { status: 200, headers: new Headers(), text };
  };
  return { clock, server, documents: openClientDocuments({ clock, get }) };
}

test('reads a document again after five minutes', async () => {
  const { clock, server, documents } = open();
  const readName = async () => (await documents.read(ID)).metadata.client_name;
  assert.deepEqual(await Promise.all([readName(), readName()]), ['First name', 'First name']);
  server.name = 'Second name';
  clock.advance(5 * 60_000 - 1);
  assert.equal(await readName(), 'First name');
  assert.equal(server.requests, 1);
  clock.advance(1);
  assert.equal(await readName(), 'Second name');
  clock.advance(-600_000);
  await readName();
  assert.equal(server.requests, 3, 'the clock was set back');
});

test('reports a failure again for ten seconds, and then tries again', async () => {
  const { clock, server, documents } = open();
  server.error = new OutboundError('unreachable', 'ECONNREFUSED');
  for (let i = 0; i < 3; i++) {
    // The code of the system would show which ports of other machines are open.
    await assert.rejects(documents.read(ID), /The address cannot be reached or is not on the public internet\.$/);
  }
  assert.equal(server.requests, 1);
  server.error = undefined;
  clock.advance(10_000);
  assert.equal((await documents.read(ID)).metadata.client_name, 'First name');
});

test('reports a name of a private network like one that does not exist', async () => {
  const { clock, server, documents } = open();
  const messages = new Set<string>();
  for (const kind of ['unreachable', 'not_public'] as const) {
    server.error = new OutboundError(kind);
    messages.add(await documents.read(ID).catch((error) => error.message));
    clock.advance(10_000);
  }
  assert.equal(messages.size, 1);
});

test('names the rule that a redirect URI of the document breaks', async () => {
  const { documents } = open();
  assert.equal(await documents.findProblem(ID, REDIRECT_URI), null);
  assert.equal(await documents.findProblem(ID, 'https://other.example/'), null);
  assert.match((await documents.findProblem(ID, 'https://evil.example/')) ?? '', /at the host of the client_id/);
});

test('an error of the service is not reported as a fault of the document', async () => {
  const { server, documents } = open();
  server.error = new TypeError('broken');
  const error = await documents.read(ID).catch((caught) => new Error('failed', { cause: caught }));
  assert.equal(findDocumentFault(error), null);
  assert.equal(findDocumentFault('text'), null);
});
