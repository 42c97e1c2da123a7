import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCheckpointScene } from '../../../test/support/compute/checkpoint-scene.ts';
import type { CheckFiles } from './checkpoint.ts';
import { CheckpointSoundness } from './soundness.ts';

/** An installed checkpoint, with the count of its examinations and the problems that they found. */
async function openSoundness(refuse?: CheckFiles) {
  const scene = await openCheckpointScene();
  const { checkpoint } = await scene.pull();
  const problems: string[] = [];
  let examinations = 0;
  const soundness = new CheckpointSoundness({
    check: async (files) => {
      examinations += 1;
      refuse?.(files);
    },
    onDamaged: (_checkpoint, problem) => problems.push(problem),
  });
  return {
    isSound: () => soundness.isSound(checkpoint),
    weights: join(checkpoint.folder, 'model.safetensors'),
    config: join(checkpoint.folder, 'config.json'),
    problems,
    examinations: () => examinations,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

test('examines a checkpoint once for concurrent and later callers', async () => {
  await using scene = await openSoundness();
  const { isSound, examinations } = scene;
  assert.deepEqual(await Promise.all([isSound(), isSound(), isSound()]), [true, true, true]);
  assert.equal(await isSound(), true);
  assert.equal(examinations(), 1);
});

test('reports a checkpoint that cannot run as unsound without examining it again', async () => {
  await using scene = await openSoundness(() => {
    throw new Error('out of range');
  });
  const { isSound, examinations, problems } = scene;
  assert.deepEqual(await Promise.all([isSound(), isSound()]), [false, false]);
  assert.equal(await isSound(), false);
  assert.deepEqual([examinations(), problems], [1, ['out of range']]);
});

test('examines changed files again, even if their modification time is unchanged', async () => {
  await using scene = await openSoundness();
  const { isSound, weights, problems } = scene;
  // Whole seconds: fractions would not be restored exactly.
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
  assert.equal(scene.examinations(), 2, 'damaged bytes are not checked');
});

test('reads unreadable files again each time', async () => {
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
