import { Fault } from '../../../../contract/index.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  canList,
  canWrite,
  crumbsOf,
  filePath,
  filesPath,
  nameFile,
  readWorkspace,
  type Workspace,
  workspacePath,
} from './file-visit.ts';

/** Deletes a file, after a page that states what it takes along. */
export const deleteFilePage: ConsoleRoute = {
  path: '/workspaces/:slug/files/:file/delete',
  get: (visit) => showDeleting(visit),
  async post(visit) {
    const deleted = await attempt(() => visit.visitor.call('deleteCsvFile', { params: nameFile(visit) }));
    // The form was sent twice, or another member was faster.
    const isGone = deleted instanceof Fault && deleted.code === 'NOT_FOUND';
    if (deleted instanceof Fault && !isGone) return showDeleting(visit, toRefusal(deleted));
    const workspace = await readWorkspace(visit);
    // It may have been the only file that the membership gave access to.
    const address = canList(workspace) ? filesPath(workspace) : workspacePath(workspace);
    setNotice(visit, isGone ? 'gone_already' : 'file_deleted', address);
    return new SeeOther(address);
  },
};

async function showDeleting(visit: ConsoleVisit, refusal?: Refusal): Promise<ConsolePage> {
  const workspace = await readWorkspace(visit);
  if (!canWrite(workspace)) return renderDenied(workspace, refusal);
  const file = await visit.visitor.call('readCsvFile', { params: nameFile(visit), query: { limit: 1 } });
  const back = html`<a class="button quiet" href="${filePath(workspace, file.id)}">Keep it</a>`;
  const page = {
    title: `Delete ${file.name}`,
    section: 'workspaces' as const,
    crumbs: [...crumbsOf(workspace), { href: filePath(workspace, file.id), label: file.name }],
    refusal,
  };
  return renderFormPage({
    ...page,
    heading: 'Delete this file?',
    body: html`<p><strong><bdi>${file.name}</bdi></strong> will be gone for good. This cannot be undone.</p>
<ul class="ticks">
<li>Forecasts that were made from it stay: each keeps the rows that it used.</li>
<li>Questions whose rule reads this file can no longer be resolved from it.</li>
${!workspace.legacy_personal && html`<li>All members of ${workspace.name} lose it.</li>`}
<li><a href="/api/v1/workspaces/${encodeURIComponent(workspace.id)}/csv/${encodeURIComponent(file.id)}/download" download>Download it</a> first if you have no copy.</li>
</ul>
<form method="post" action="${filePath(workspace, file.id, 'delete')}" class="actions"><button class="danger">Delete the file</button>${back}</form>`,
  });
}

/** Renders why the visitor cannot delete files, with the status of the API. */
function renderDenied(workspace: Workspace, refusal?: Refusal): ConsolePage {
  const page = renderFormPage({
    title: 'You cannot delete this file',
    heading: 'You cannot delete this file',
    section: 'workspaces',
    crumbs: crumbsOf(workspace, false),
    refusal,
    body: html`<p>Your membership in this workspace does not allow you to delete files. Ask its owner.</p>
<p class="actions"><a class="button quiet" href="${workspacePath(workspace)}">Back to the workspace</a></p>`,
  });
  return { ...page, status: 403, failed: true };
}
