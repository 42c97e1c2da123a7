import { html } from '../html.ts';
import { anchorOf, capitalize, TERMS, type Term } from './terms.ts';
import type { ConsoleRoute } from './visit.ts';

/** All words that pages explain, in the order of the alphabet. */
export const glossaryPage: ConsoleRoute = {
  path: '/glossary',
  get: async () => ({
    title: 'Words',
    body: html`<div class="page-head"><div>
<h1>Words</h1>
<p class="lead">What the words on these pages mean. Beside many of them is a button with a question mark, which shows the same text.</p>
</div></div>
<dl class="card facts glossary">${(Object.keys(TERMS) as Term[]).map(
      (term) => html`
<div id="${anchorOf(term)}"><dt>${capitalize(term)}</dt><dd>${TERMS[term]}</dd></div>`,
    )}
</dl>`,
  }),
};
