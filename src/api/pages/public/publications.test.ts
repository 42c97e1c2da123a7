import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Publications } from './publications.ts';

test('concurrent requests for one version share one rendering, and a new version is rendered again', async () => {
  const publications = new Publications();
  let renderings = 0;
  const read = (version: string) =>
    publications.read('page', version, async () => ({ body: `rendering ${++renderings}`, version }));
  const first = await Promise.all(Array.from({ length: 50 }, () => read('1')));
  assert.deepEqual(new Set(first.map((page) => page?.body)), new Set(['rendering 1']));
  assert.equal((await read('2'))?.body, 'rendering 2');
  assert.notEqual((await read('2'))?.etag, first[0]?.etag);
  assert.equal(renderings, 2);
});

test('a page that is gone or could not be rendered is not kept', async () => {
  const publications = new Publications();
  assert.equal(await publications.read('page', '1', async () => null), null);
  await assert.rejects(
    publications.read('page', '1', async () => {
      throw new Error('no memory');
    }),
    /no memory/,
  );
  const now = async () => ({ body: 'now', version: '1' });
  assert.equal((await publications.read('page', '1', now))?.body, 'now');
});

test('a page whose content changed after its version was read is shown, but not kept', async () => {
  const publications = new Publications();
  const read = (title: string) =>
    publications.read('page', 'first title', async () => ({ body: title, version: title }));
  assert.equal((await read('second title'))?.body, 'second title');
  assert.equal((await read('first title'))?.body, 'first title', 'the title was changed back');
  assert.equal((await read('second title'))?.body, 'first title', 'the page of this version is kept');
});
