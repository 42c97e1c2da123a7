import { Fault } from '../../../../contract/index.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderFormPage } from '../form-page.ts';
import { type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { canWrite, crumbsOf, filePath, filesPath, nameFile, readWorkspace } from './file-visit.ts';

/** Deletes a file, after a page that states what it takes along. */
export const deleteFilePage: ConsoleRoute = {
  path: '/workspaces/:slug/files/:file/delete',
  get: (visit) => showDeleting(visit),
  async post(visit) {
    const address = filesPath({ slug: visit.params.slug ?? '' });
    try {
      await visit.visitor.call('deleteCsvFile', { params: nameFile(visit) });
      setNotice(visit, 'file_deleted', address);
    } catch (error) {
      // The form was sent twice, or another member was faster.
      if (error instanceof Fault && error.code === 'NOT_FOUND') setNotice(visit, 'gone_already', address);
      else return showDeleting(visit, toRefusal(error));
    }
    return new SeeOther(address);
  },
};

async function showDeleting(visit: ConsoleVisit, refusal?: Refusal): Promise<ConsolePage> {
  const workspace = await readWorkspace(visit);
  const file = await visit.visitor.call('readCsvFile', { params: nameFile(visit), query: { limit: 1 } });
  const back = html`<a class="button quiet" href="${filePath(workspace, file.id)}">Keep it</a>`;
  const page = {
    title: `Delete ${file.name}`,
    section: 'workspaces' as const,
    crumbs: [...crumbsOf(workspace), { href: filePath(workspace, file.id), label: file.name }],
    refusal,
  };
  if (!canWrite(workspace)) {
    return renderFormPage({
      ...page,
      heading: 'You cannot delete this file',
      body: html`<p>Your role in this workspace lets you read its files, but not delete them. Ask its owner.</p><p class="actions">${back}</p>`,
    });
  }
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
