import { formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { type CsvFile, filePath } from './file-visit.ts';
import type { FileView } from './read-file.ts';

/** Renders a page of the rows as they are in the file. */
export function renderRows({ file, workspace, fields, cursor }: FileView): Html {
  const [first, last] = [file.lines[0], file.lines.at(-1)];
  const address = (next?: string) => {
    const params = new URLSearchParams({ ...fields, ...(next !== undefined && { cursor: next }) });
    return `${filePath(workspace, file.id)}?${params}#rows`;
  };
  return html`<section class="card stack" id="rows" aria-labelledby="rows-title">
<h2 id="rows-title">The rows</h2>
<p class="hint">${
    first === undefined
      ? 'There are no more rows.'
      : `Lines ${formatInteger(first)} to ${formatInteger(last ?? first)} of the file, which has ${formatInteger(file.rows)} rows.`
  }</p>
${file.page.length > 0 && renderCells(file, { marked: null, columns: Object.values(fields), caption: 'Rows of the file' })}
${
  (cursor !== undefined || file.next_cursor !== null) &&
  html`<nav class="pagination" aria-label="Pages of rows">
${cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${address()}">First rows</a>`}
${file.next_cursor !== null && html`<a class="button quiet" rel="next" href="${address(file.next_cursor)}">Next rows</a>`}
</nav>`
}
</section>`;
}

interface CellsOptions {
  /** The line with a mistake. */
  readonly marked: number | null;
  /** The names of the chosen columns. */
  readonly columns: readonly (string | undefined)[];
  readonly caption: string;
}

/** Renders rows with the lines on which they are. */
export function renderCells(file: CsvFile, { marked, columns, caption }: CellsOptions): Html {
  const isNumber = file.columns.map(({ type }) => type === 'number');
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table class="cells"><thead><tr><th scope="col">Line</th>${file.columns.map(
    ({ name }, column) =>
      html`<th scope="col" class="${isNumber[column] ? 'number' : 'words'}${columns.includes(name) && ' chosen'}"><bdi>${name}</bdi></th>`,
  )}</tr></thead>
<tbody>${file.page.map((cells, row) => {
    const isMarked = file.lines[row] === marked;
    return html`<tr${isMarked && html` class="marked"`}><th scope="row">${file.lines[row] ?? ''}${isMarked && html`<span class="away">, the line with the mistake</span>`}</th>${cells.map(
      (cell, column) => html`<td class="${isNumber[column] ? 'number' : 'words'}"><bdi>${shorten(cell)}</bdi></td>`,
    )}</tr>`;
  })}</tbody></table></div>`;
}

/** A cell can have 10,000 characters, which would hide the others. */
const MAX_CELL = 60;

function shorten(cell: string): string {
  return cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL - 1).toWellFormed()}…` : cell;
}
