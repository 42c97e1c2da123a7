import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataBlock } from './document.ts';

test('text in the data of a script cannot end its element', () => {
  const data = { title: '</script><b>' };
  const { text } = dataBlock('data', data);
  assert.equal(text, '<script type="application/json" id="data">{"title":"\\u003c/script>\\u003cb>"}</script>');
  assert.deepEqual(JSON.parse(text.replace(/^<[^>]*>|<\/script>$/g, '')), data);
});
