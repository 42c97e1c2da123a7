import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from './html.ts';

test('values are escaped, markup is not escaped twice, and nothing leaves no trace', () => {
  const hostile = `"><script>alert('&')</script>`;
  assert.equal(
    html`<p title="${hostile}">${html`<b>${hostile}</b>`}</p>`.text,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"><b>&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</b></p>',
  );
  assert.equal(html`a${null}b${undefined}c${false}d${0}e${''}f${['<', html`<i>`, ['&']]}`.text, 'abcd0ef&lt;<i>&amp;');
});

test('no value can leave its place, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { text } = html`<p title="${value}">${value}</p>`;
      const inside = text.slice('<p title="'.length, -'</p>'.length);
      assert.equal(inside.match(/["<>']/g)?.join(''), '">', 'only our own quote and bracket');
    }),
  );
});

test('an object that looks like markup is text', () => {
  const forged = JSON.parse('{"text":"<script>"}');
  assert.throws(() => html`${forged}`, TypeError);
});
