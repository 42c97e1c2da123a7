import { Fault, MAX_CSV_BYTES } from '../../../../contract/index.ts';
import type { UploadForm } from '../../../edge/multipart.ts';
import { readDeclaredFormat } from '../../../edge/upload-body.ts';
import { readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice, withReturnTo } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, toFieldErrors } from '../refusals.ts';
import { renderEmpty } from '../states.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { filePath, filesPath, readWorkspace } from './file-visit.ts';
import { renderFiles } from './render-list.ts';
import { READING_LABELS, READING_NAMES, type UploadProblem } from './render-upload.ts';

/** Leads to the files of the visitor's personal workspace. */
export const ownFilesPage: ConsoleRoute = {
  path: '/files',
  async get({ visitor }) {
    if (visitor.principal.kind !== 'account') return invite('/files');
    const { workspaces } = await visitor.call('listWorkspaces');
    // A member of another account's personal workspace sees that one in the list as well.
    const own =
      workspaces.find(({ legacy_personal: isPersonal, role }) => isPersonal && role === 'owner') ??
      workspaces.find(({ capabilities }) => capabilities.includes('csv.list'));
    return new SeeOther(own === undefined ? '/workspaces' : filesPath(own));
  },
};

/** The files of a workspace: GET lists them, POST uploads one. */
export const filesPage: ConsoleRoute = {
  path: '/workspaces/:slug/files',
  get: (visit) =>
    visit.visitor.principal.kind === 'account' ? showFiles(visit) : Promise.resolve(invite(visit.address)),
  async upload(visit) {
    if (visit.visitor.principal.kind !== 'account')
      return { ...invite(filesPath({ slug: visit.params.slug ?? '' })), status: 401, failed: true };
    const form = await visit.openUpload(MAX_CSV_BYTES);
    try {
      return await takeUpload(visit, form);
    } finally {
      await form.close();
    }
  },
};

async function takeUpload(visit: ConsoleVisit, form: UploadForm): Promise<ConsolePage | SeeOther> {
  const { visitor, params } = visit;
  const { fields, file } = form;
  if (file === null)
    return showFiles(visit, fields, { status: 400, message: '', errors: { file: 'Choose a file first.' } });
  const given = READING_NAMES.filter((name) => fields[name]).map((name) => `; ${name}=${fields[name]}`);
  const uploaded = await attempt(async () => {
    const declared = readDeclaredFormat(`text/csv${given.join('')}`, 'text/csv');
    const upload = { declared, chunks: file.chunks };
    const { replaces, since } = fields;
    const query = { name: nameUpload(file.name), ...(replaces && { replaces }), ...(since && { not_since: since }) };
    return visitor.call('uploadCsvFile', { params: { workspace_id: params.slug }, query, upload });
  });
  if (uploaded instanceof Fault) return showFiles(visit, fields, explain(uploaded));
  const address = filePath({ slug: params.slug ?? '' }, uploaded.id);
  setNotice(visit, fields.replaces ? 'file_replaced' : 'file_uploaded', address);
  return new SeeOther(address);
}

/** Returns the name of a file. Some browsers send a whole path. */
function nameUpload(name: string): string {
  return name.replace(/^.*[\\/]/s, '').slice(0, 200);
}

const REPLACED_IS_GONE =
  'The file that this one replaces is no longer here: it was deleted or replaced. Choose your file again to store it as a new one.';

function explain(fault: Fault): UploadProblem {
  const { code, status, message, details } = fault;
  if (code === 'NOT_FOUND') return { status, message: REPLACED_IS_GONE };
  // Faults of these kinds have pages of their own.
  if (status === 401 || status === 404 || status === 408 || status >= 500) throw fault;
  const errors = toFieldErrors(fault, { ...READING_LABELS, name: ['file', 'The name of the file'] });
  return { status, message, excerpt: details.excerpt, ...(errors !== null && { errors }) };
}

async function showFiles(
  visit: ConsoleVisit,
  given?: Readonly<Record<string, string>>,
  problem?: UploadProblem,
): Promise<ConsolePage> {
  const workspace = await readWorkspace(visit);
  const cursor = readField(visit.query, 'cursor');
  const query = { limit: 50, ...(cursor !== undefined && { cursor }) };
  const list = await visit.visitor.call('listCsvFiles', { params: { workspace_id: workspace.id }, query });
  return {
    title: `Files of ${workspace.name}`,
    section: 'workspaces',
    script: 'files',
    ...(problem && { status: problem.status, failed: true }),
    body: renderFiles({ visit, workspace, list, cursor, given, problem }),
  };
}

/** Renders what the page is for, to a visitor without an account. */
function invite(returnTo: string): ConsolePage {
  return {
    title: 'Forecast your own data',
    section: 'workspaces',
    body: html`<div class="page-head"><div><h1>Forecast your own data</h1>
<p class="soft">Upload a CSV file, see how it is read, and forecast one of its columns.</p></div></div>
${renderEmpty({
  title: 'Files need an account',
  text: 'Your files are private: only you, and members of a workspace that you invite, can read them. That takes an account, which is free. It takes a minute.',
  steps: [
    { href: withReturnTo('/auth/sign-up', returnTo), label: 'Create an account' },
    { href: withReturnTo('/auth/sign-in', returnTo), label: 'Sign in' },
  ],
})}`,
  };
}
