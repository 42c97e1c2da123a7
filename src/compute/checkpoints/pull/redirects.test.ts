import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ID, openCheckpointScene, WEIGHTS } from '../../../../test/support/compute/checkpoint-scene.ts';
import { answer, breakOff, type Reply, sendFile } from '../../../../test/support/compute/checkpoint-server.ts';
import { resolveRedirect } from './requests.ts';

const to = (location: string, status = 302): Reply => answer(status, { location });

test('follows up to five redirects, also when it requests a part', async () => {
  await using scene = await openCheckpointScene();
  const half = WEIGHTS.length / 2;
  scene.server.script.push(
    ...[301, 302, 303, 307, 308].map((status) => to('/store/model.safetensors?signed=yes', status)),
    breakOff(WEIGHTS, half),
    to('/store/model.safetensors?signed=again'),
  );
  assert.equal((await scene.pull()).checkpoint.id, ID);
  assert.equal(scene.server.requests.at(-1)?.range, `bytes=${half}-`);
  assert.equal(scene.server.requests.length, 8);
});

test('refuses a redirect loop and redirects to forbidden addresses', async () => {
  for (const [location, problem] of [
    ['/files/model.safetensors', /it redirects more than 5 times/],
    ['file:///etc/passwd', /it redirects to an address that is not http or https/],
    ['ftp://127.0.0.1/model.safetensors', /it redirects to an address that is not http or https/],
    ['data:,x', /it redirects to an address that is not http or https/],
    ['http://[', /it redirects to an address that is not http or https/],
    ['http://user:word@127.0.0.1/', /an address with a password/],
    ['http://localhost/', /not on the public internet; use --from/],
    ['http://localhost./', /not on the public internet/],
    ['http://2130706433:1/', /not on the public internet/],
    ['http://[::ffff:127.0.0.1]/', /not on the public internet/],
    ['http://10.0.0.1/', /not on the public internet/],
    ['http://169.254.169.254/latest', /not on the public internet/],
    ['http://[fd00::1]/', /not on the public internet/],
  ] as const) {
    await using scene = await openCheckpointScene();
    scene.server.script.push(...Array(6).fill(to(location)));
    await assert.rejects(scene.pull(), { code: 'DOWNLOAD_REFUSED', message: problem });
    assert.equal(scene.partSize(), 0);
  }
  await using scene = await openCheckpointScene();
  scene.server.script.push(answer(302));
  await assert.rejects(scene.pull(), { code: 'DOWNLOAD_REFUSED' }, 'without a location');
});

/** Starts a server at an address of this machine, which is not the one of the checkpoint server. */
async function serveAt(host: string, reply: Reply): Promise<AsyncDisposable & { port: number; requests: number }> {
  const server = createServer((request, response) => {
    served.requests += 1;
    reply(request, response);
  }).listen(0, host);
  await once(server, 'listening');
  const served = {
    port: (server.address() as AddressInfo).port,
    requests: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return served;
}

test('checks the address of every redirect', async () => {
  await using forbidden = await serveAt('0.0.0.0', sendFile(WEIGHTS));
  const hosts = ['127.0.0.1', '0x7f.1', '127.0.0.3', '[::ffff:127.0.0.1]', 'localhost'];
  for (const [index, host] of [...hosts, '1.1.1.1'].entries()) {
    const hop = index % 5;
    const target = `http://${host}:${forbidden.port}/`;
    await using scene = await openCheckpointScene();
    await using store = await serveAt('127.0.0.2', (request, response) => {
      to(store.requests === hop ? target : `/next/${store.requests}`)(request, response);
    });
    scene.server.script.push(to(hop === 0 ? target : `http://127.0.0.2:${store.port}/`));
    const message = host === '1.1.1.1' ? /by http; use --from/ : /public internet; use --from .*ALMANAC_OUTBOUND_ALLOW/;
    await assert.rejects(scene.pull({ allow: ['127.0.0.2'] }), { code: 'DOWNLOAD_REFUSED', message }, target);
    assert.deepEqual([scene.server.requests.length, store.requests, scene.partSize()], [1, hop, 0]);
  }
  assert.equal(forbidden.requests, 0);
});

test('follows a redirect to a private address that the operator allowed', async () => {
  await using scene = await openCheckpointScene();
  await using store = await serveAt('127.0.0.2', sendFile(WEIGHTS));
  scene.server.script.push(to(`http://127.0.0.2:${store.port}/`));
  assert.equal((await scene.pull({ allow: ['127.0.0.0/8'] })).checkpoint.id, ID);
  assert.equal(store.requests, 1);
});

test('lets no other server name an address of the private origin that the operator named', async () => {
  await using scene = await openCheckpointScene();
  await using store = await serveAt('127.0.0.2', to(`${scene.server.url}/model.safetensors`));
  scene.server.script.push(to(`http://127.0.0.2:${store.port}/`));
  await assert.rejects(scene.pull({ allow: ['127.0.0.2'] }), { code: 'DOWNLOAD_REFUSED', message: /public internet/ });
  assert.deepEqual([scene.server.requests.length, store.requests], [1, 1]);
});

test('never leaves https', () => {
  const start = 'https://hub.example/model.safetensors';
  const next = (location: string) => resolveRedirect(start, new URL(start), location).href;
  assert.equal(next('https://store.example/x?signed=yes'), 'https://store.example/x?signed=yes');
  assert.equal(next('/elsewhere'), 'https://hub.example/elsewhere');
  for (const location of ['http://hub.example/x', '//user:word@hub.example/']) {
    assert.throws(() => next(location), { code: 'DOWNLOAD_REFUSED' }, location);
  }
});
