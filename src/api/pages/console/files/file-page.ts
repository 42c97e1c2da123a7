import { formatCount, formatMoment, formatSize } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import type { ConsolePage } from '../document.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderNote } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { canWrite, crumbsOf, filePath } from './file-visit.ts';
import { type FileView, readFileView } from './read-file.ts';
import { renderReading } from './render-reading.ts';
import { renderRows } from './render-rows.ts';
import { renderSeries } from './render-series.ts';
import { renderUpload } from './render-upload.ts';

/** One file, as it is read: its lines, its columns, and the series of two of them. */
export const filePage: ConsoleRoute = { path: '/workspaces/:slug/files/:file', get: showFile };

async function showFile(visit: ConsoleVisit): Promise<ConsolePage> {
  const view = await readFileView(visit);
  const { file, workspace } = view;
  return {
    title: file.name,
    section: 'workspaces',
    script: 'files',
    body: html`${renderCrumbs(crumbsOf(workspace))}
${renderHead(view)}
${renderSkipped(view)}
${renderSeries(visit, view)}
${renderReading(view)}
${renderRows(view)}
${canWrite(workspace) && renderAgain(view, visit.now)}`,
  };
}

function renderHead({ file, workspace }: FileView): Html {
  const { id, name, rows, columns, size_bytes: bytes, created_at: at } = file;
  const download = `/api/v1/workspaces/${encodeURIComponent(workspace.id)}/csv/${encodeURIComponent(id)}/download`;
  return html`<div class="page-head"><div>
<h1><bdi>${name}</bdi></h1>
<p class="soft">${formatCount(rows, 'row')}, ${formatCount(columns.length, 'column')}, ${formatSize(bytes)}. Uploaded <time datetime="${at}" data-local>${formatMoment(new Date(at))}</time>.</p>
</div><p class="actions"><a class="button quiet" href="${download}" download>Download</a>${
    canWrite(workspace) && html`<a class="button quiet" href="${filePath(workspace, id, 'delete')}">Delete</a>`
  }</p></div>`;
}

const KINDS = {
  title: 'above the table',
  units: 'the units of the columns',
  footer: 'below the table, without a time',
} as const;

/** Renders the lines that are not rows, so that a row that was taken for one of them is seen. */
function renderSkipped({ file: { skipped } }: FileView): Html | null {
  if (skipped.length === 0) return null;
  const list = html`<ul class="skipped">${skipped.map(
    ({ line, kind, text }) => html`<li>Line ${line}, ${KINDS[kind]}: <code>${text}</code></li>`,
  )}</ul>`;
  return html`<div class="note info"><p><strong>${skipped.length === 1 ? 'One line is' : `${skipped.length} lines are`} not part of the table</strong></p>
<p>The rows and the forecast leave ${skipped.length === 1 ? 'it' : 'them'} out.</p>
${list}</div>`;
}

/** Renders the form with which the file is uploaded again and read in another way. */
function renderAgain({ file, workspace }: FileView, now: Date): Html {
  const hasNote = file.columns.some(({ note }) => note !== null);
  return html`<details class="card again" id="again"${hasNote && html` open`}>
<summary>Read it in another way, or replace it</summary>
<div class="stack">
${renderNote('info', 'The file is read again from your copy. The new file takes the place of this one; forecasts that were made from this one stay as they are.')}
${renderUpload({ workspace, replaces: file, now })}
</div></details>`;
}
