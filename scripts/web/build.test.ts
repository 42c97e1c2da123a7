import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildWeb } from './build.ts';

const dist = join(import.meta.dirname, '../../web/dist');

test('web/dist is what its sources build to, byte for byte', async () => {
  // Inside the project, because the names of files depend on their place relative to it.
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.cache-web-'));
  try {
    await buildWeb(folder);
    const names = (await readdir(folder)).sort();
    assert.deepEqual((await readdir(dist)).sort(), names, 'run npm run build:web');
    for (const name of names) {
      const [committed, built] = await Promise.all([dist, folder].map((place) => readFile(join(place, name))));
      assert.ok(committed?.equals(built as Buffer), `${name}: run npm run build:web`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
