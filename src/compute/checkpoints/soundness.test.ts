import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckpointScene } from '../../../test/support/compute/checkpoint-scene.ts';
import type { CheckFiles } from './checkpoint.ts';
import { Soundness } from './soundness.ts';

/** An installed checkpoint, and how often it was looked into and found damaged. */
async function openSoundness(refuse?: CheckFiles) {
  const scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const problems: string[] = [];
  let looks = 0;
  const soundness = new Soundness({
    check: (files) => {
      looks += 1;
      refuse?.(files);
    },
    onDamaged: (_checkpoint, problem) => problems.push(problem),
  });
  return {
    isSound: () => soundness.isSound(checkpoint),
    weights: join(checkpoint.folder, 'model.safetensors'),
    config: join(checkpoint.folder, 'config.json'),
    problems,
    looks: () => looks,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

test('however many ask at once and later, it is looked into once', async () => {
  await using scene = await openSoundness();
  const { isSound, looks } = scene;
  assert.deepEqual(await Promise.all([isSound(), isSound(), isSound()]), [true, true, true]);
  assert.equal(await isSound(), true);
  assert.equal(looks(), 1);
});

test('what cannot run stays unsound without another look', async () => {
  await using scene = await openSoundness(() => {
    throw new Error('out of range');
  });
  const { isSound, looks, problems } = scene;
  assert.deepEqual(await Promise.all([isSound(), isSound()]), [false, false]);
  assert.equal(await isSound(), false);
  assert.deepEqual([looks(), problems], [1, ['out of range']]);
});

test('files that became others are looked into again, also with their old time', async () => {
  await using scene = await openSoundness();
  const { isSound, weights, problems } = scene;
  // Whole seconds: what is finer would not be set back exactly.
  utimesSync(weights, 1_700_000_000, 1_700_000_000);
  assert.equal(await isSound(), true);
  const whole = readFileSync(weights);
  const flipped = Buffer.from(whole);
  flipped[7] = 255 - (flipped[7] ?? 0);
  writeFileSync(weights, flipped);
  utimesSync(weights, 1_700_000_000, 1_700_000_000);
  assert.equal(await isSound(), false);
  assert.match(problems[0] ?? '', /model\.safetensors .* sha256/);
  writeFileSync(weights, whole);
  assert.equal(await isSound(), true);
  assert.equal(scene.looks(), 2, 'damaged bytes are not even looked into');
});

test('what could not be read is tried again each time', async () => {
  await using scene = await openSoundness();
  const { isSound, config, problems } = scene;
  renameSync(config, `${config}.away`);
  assert.equal(await isSound(), false);
  assert.equal(await isSound(), false);
  assert.equal(problems.length, 2);
  renameSync(`${config}.away`, config);
  assert.equal(await isSound(), true);
  rmSync(config);
  assert.equal(await isSound(), false);
});
