import { renderFacts } from '../../facts.ts';
import { formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { FileView } from './read-file.ts';
import { describeType, nameDelimiter, nameEncoding } from './words.ts';

/** Renders how the file was read: its format, and the type of each column. */
export function renderReading({ file }: FileView): Html {
  return html`<section class="card stack" aria-labelledby="reading-title">
<h2 id="reading-title">How it is read</h2>
${renderFacts('facts small', [
  ['Cells are separated by', nameDelimiter(file.delimiter)],
  ['Encoding', nameEncoding(file.encoding)],
  ['Names of columns', file.header === 'present' ? 'In the header' : 'None: named by position'],
])}
<div class="scroll" tabindex="0" role="region" aria-label="Columns">
<table class="reading-table"><thead><tr><th scope="col">Column</th><th scope="col" class="words">Read as</th><th scope="col">Empty cells</th><th scope="col" class="words">For example</th></tr></thead>
<tbody>${file.columns.map(
    (column) => html`<tr><th scope="row"><bdi>${column.name}</bdi></th>
<td class="words">${describeType(column)}${column.note !== null && html`<p class="hint">${column.note}</p>`}</td>
<td>${formatInteger(column.nulls)}</td>
<td class="words">${column.examples.map((example, index) => html`${index > 0 && ' · '}<code>${example}</code>`)}</td></tr>`,
  )}</tbody></table></div>
</section>`;
}
