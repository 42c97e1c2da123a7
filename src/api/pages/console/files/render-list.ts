import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatInteger, formatMoment, formatSize } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { renderEmpty, renderNote } from '../states.ts';
import type { ConsoleVisit } from '../visit.ts';
import {
  canWrite,
  crumbsOf,
  filePath,
  filesPath,
  forecastAddress,
  type ListedFile,
  type Workspace,
} from './file-visit.ts';
import { renderUpload, type UploadProblem } from './render-upload.ts';
import { nameFrequency } from './words.ts';

type Listed = Output<Operations['listCsvFiles']>;

interface FilesView {
  readonly visit: ConsoleVisit;
  readonly workspace: Workspace;
  readonly list: Listed;
  readonly cursor: string | undefined;
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly problem?: UploadProblem | undefined;
}

/** Renders the files of a workspace, with the form that uploads one. */
export function renderFiles({ visit, workspace, list, cursor, given, problem }: FilesView): Html {
  const { files, next_cursor: next, storage } = list;
  return html`${renderCrumbs(crumbsOf(workspace, false))}
<div class="page-head"><div>
<h1>Files</h1>
<p class="soft">${describePlace(workspace)}</p>
</div></div>
${canWrite(workspace) && renderHint(visit, 'files', 'Upload a CSV file as it is: semicolons, decimal commas, dates with the day first, titles above and totals below the table are understood. You see how it was read before you forecast it.')}
${
  canWrite(workspace)
    ? html`<section class="card stack" aria-labelledby="upload-title"><h2 id="upload-title">Upload a file</h2>
${renderUpload({ workspace, given, problem, now: visit.now, replaces: replacedBy(given, problem) })}</section>`
    : renderNote('info', 'Your role in this workspace lets you read and forecast its files, but not add or delete any.')
}
${storage !== null && renderStorage(storage)}
${files.length === 0 ? renderNone(workspace, cursor) : renderTable(workspace, files)}
${
  (next !== null || cursor !== undefined) &&
  html`<nav class="pagination" aria-label="Pages of the list">
${cursor === undefined ? html`<span></span>` : html`<a class="button quiet" href="${filesPath(workspace)}">Back to the newest</a>`}
${next !== null && html`<a class="button quiet" rel="next" href="${filesPath(workspace)}?cursor=${encodeURIComponent(next)}">Older files</a>`}
</nav>`
}`;
}

/** Returns the file that a refused form replaces, so that the next attempt replaces it as well. */
function replacedBy(
  given: FilesView['given'],
  problem: UploadProblem | undefined,
): { readonly id: string } | undefined {
  return given?.replaces && problem?.status !== 404 ? { id: given.replaces } : undefined;
}

function describePlace(workspace: Workspace): string {
  const { csv } = workspace.resource_scope;
  const whose = describeReaders(workspace);
  return csv.mode === 'all' ? whose : `${whose} You see the files that were picked for you, and your own.`;
}

/** Returns whose files these are. Members of a personal workspace see it as well. */
function describeReaders({ legacy_personal: isPersonal, role, name, members }: Workspace): string {
  if (!isPersonal) return `What the members of ${name} share.`;
  if (members === 1) return 'Your own files. Only you see them.';
  const whose = role === 'owner' ? 'your personal workspace' : 'a personal workspace that is shared with you';
  return `The files of ${whose}. ${formatCount(members, 'member')} see them, each as far as its access allows.`;
}

function renderStorage({
  files,
  bytes,
  max_files: maxFiles,
  max_bytes: maxBytes,
}: NonNullable<Listed['storage']>): Html {
  return html`<p class="storage"><label for="storage">${formatCount(files, 'file')} with ${formatSize(bytes)}, of at most ${formatInteger(maxFiles)} files with ${formatSize(maxBytes)}.</label> <meter id="storage" min="0" max="${maxBytes}" value="${bytes}"></meter></p>`;
}

function renderTable(workspace: Workspace, files: readonly ListedFile[]): Html {
  return html`<div class="card flush"><h2 class="away">Files</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Files">
<table class="files"><thead><tr><th scope="col">File</th><th scope="col" class="words"><span class="away">Forecast</span></th><th scope="col">Rows</th><th scope="col" class="words">Rows are</th><th scope="col">Size</th><th scope="col">Uploaded</th></tr></thead>
<tbody>${files.map((file) => renderFile(workspace, file))}</tbody></table></div></div>`;
}

function renderFile(workspace: Workspace, file: ListedFile): Html {
  const { id, name, rows, size_bytes: bytes, frequency, time_field: time, value_field: value, created_at: at } = file;
  const fields =
    frequency !== null && time !== null && value !== null ? { time_field: time, value_field: value } : null;
  return html`<tr><th scope="row"><a class="tap" href="${filePath(workspace, id)}"><bdi>${name}</bdi></a></th>
<td class="words">${
    fields === null
      ? html`<a class="tap" href="${filePath(workspace, id)}">Choose columns</a>`
      : html`<a class="tap" href="${forecastAddress(workspace, id, fields)}" aria-label="Forecast ${name}">Forecast</a>`
  }</td>
<td>${formatInteger(rows)}</td>
<td class="words">${frequency === null ? 'Not clear yet' : nameFrequency(frequency)}</td>
<td>${formatSize(bytes)}</td>
<td><time datetime="${at}" data-local>${formatMoment(new Date(at))}</time></td></tr>`;
}

function renderNone(workspace: Workspace, cursor: string | undefined): Html {
  if (cursor !== undefined) {
    return renderEmpty({
      title: 'This page of the list is empty now',
      text: 'The files that were here were deleted.',
      steps: [{ href: filesPath(workspace), label: 'Go to the newest' }],
    });
  }
  return renderEmpty({
    title: 'No files yet',
    text: canWrite(workspace)
      ? 'A file needs a column of times and a column of numbers. Upload one above.'
      : 'When the owner or an editor uploads a file that you may see, it appears here.',
  });
}
