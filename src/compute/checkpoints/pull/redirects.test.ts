import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ID, openCheckpointScene, WEIGHTS } from '../../../../test/support/compute/checkpoint-scene.ts';
import { answer, breakOff, type Reply } from '../../../../test/support/compute/checkpoint-server.ts';
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

test('never leaves https', () => {
  const start = 'https://hub.example/model.safetensors';
  const next = (location: string) => resolveRedirect(start, new URL(start), location).href;
  assert.equal(next('https://store.example/x?signed=yes'), 'https://store.example/x?signed=yes');
  assert.equal(next('/elsewhere'), 'https://hub.example/elsewhere');
  for (const location of ['http://hub.example/x', '//user:word@hub.example/']) {
    assert.throws(() => next(location), { code: 'DOWNLOAD_REFUSED' }, location);
  }
});
