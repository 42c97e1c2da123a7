import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from './html.ts';

test('escapes values, keeps markup and renders nothing for empty values', () => {
  const hostile = `"><script>alert('&')</script>`;
  assert.equal(
    html`<p title="${hostile}">${html`<b>${hostile}</b>`}</p>`.text,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"><b>&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</b></p>',
  );
  assert.equal(html`a${null}b${undefined}c${false}d${0}e${''}f${['<', html`<i>`, ['&']]}`.text, 'abcd0ef&lt;<i>&amp;');
});

test('no value can break out of its position in the markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { text } = html`<p title="${value}">${value}</p>`;
      const inside = text.slice('<p title="'.length, -'</p>'.length);
      assert.equal(inside.match(/["<>']/g)?.join(''), '">', 'only the quote and bracket of the template');
    }),
    { seed: 1 },
  );
});

test('renders an object that resembles markup as text', () => {
  const forged = JSON.parse('{"text":"<script>"}');
  assert.throws(() => html`${forged}`, TypeError);
});
