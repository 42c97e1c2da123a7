import type { Operations, Output } from '../../../../contract/index.ts';
import { renderFacts } from '../../facts.ts';
import { formatCount, formatSize } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { moveNotice, SeeOther } from '../../visit.ts';
import { renderCrumbs } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { renderNote } from '../states.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { readInvitations, renderAnswer, renderOffer } from './invitations.ts';
import { readForecasts, renderForecasts } from './render-forecasts.ts';
import { renderMembers } from './render-members.ts';
import { ROLES, renderDay } from './words.ts';
import {
  findTransfer,
  type Invitation,
  readCollaborators,
  readWorkspace,
  type Transfer,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

type Files = Output<Operations['listCsvFiles']>;

/** One workspace: its forecasts, members and files, and what the visitor can do with it. */
export const workspacePage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    const address = workspacePath(workspace);
    if (visit.params.slug !== workspace.slug) {
      moveNotice(visit, visit.address, address);
      return new SeeOther(address);
    }
    const collaborators = await readCollaborators(visit, workspace);
    const forecasts = await readForecasts(visit, workspace);
    const files = await readFiles(visit, workspace);
    const transfer = await findTransfer(visit, workspace);
    const offer = workspace.role === 'owner' ? undefined : await findOffer(visit, workspace);
    return {
      title: workspace.name,
      section: 'workspaces',
      script: 'workspaces',
      body: html`${renderCrumbs([{ href: WORKSPACES_PATH, label: 'Workspaces' }])}
<div class="page-head"><div><h1>${workspace.name}</h1>
<p class="soft">${describeMembership(workspace)}</p></div></div>
${offer !== undefined && renderOwnershipOffer(offer)}
${transfer !== null && renderTransfer(workspace, transfer)}
${workspace.role === 'owner' && workspace.members === 1 && renderHint(visit, 'workspace', 'Invite a colleague by email. A viewer only reads; an editor also uploads files and makes forecasts, which use your credits. You can limit both.')}
<div class="aside workspace">
<div class="flow">
${renderForecasts(visit, workspace, forecasts, collaborators)}
${renderMembers(visit, workspace, collaborators)}
</div>
<div class="flow">
${renderFiles(workspace, files)}
${renderAbout(workspace)}
</div></div>`,
    };
  },
};

async function readFiles({ visitor }: ConsoleVisit, workspace: Workspace): Promise<Files | null> {
  if (!workspace.capabilities.includes('csv.list')) return null;
  return visitor.call('listCsvFiles', { params: { workspace_id: workspace.id }, query: { limit: 4 } });
}

async function findOffer(visit: ConsoleVisit, { id }: Workspace): Promise<Invitation | undefined> {
  const invitations = await readInvitations(visit);
  return invitations.find(({ kind, workspace_id }) => kind === 'ownership' && workspace_id === id);
}

function describeMembership({ role, legacy_personal, members }: Workspace): string {
  if (legacy_personal && role === 'owner' && members === 1)
    return 'Your personal workspace. Only you see what is in it, unless you invite others.';
  const count = members === 1 ? 'You are the only member' : formatCount(members, 'member');
  const own =
    role === 'owner'
      ? 'You own it'
      : `You are ${role === 'editor' ? 'an editor' : 'a viewer'}: this role ${ROLES[role].may}`;
  return `${own}. ${count}.`;
}

function renderOwnershipOffer(offer: Invitation): Html {
  return html`<section class="note" aria-labelledby="offer"><h2 id="offer">Become the owner of this workspace?</h2>
<p>${renderOffer(offer)}</p>
<p class="soft">It can be answered until ${renderDay(offer.expires_at)}.</p>
${renderAnswer(offer)}</section>`;
}

function renderTransfer(workspace: Workspace, { email, expires_at }: Transfer): Html {
  return renderNote(
    'info',
    html`<strong>${email}</strong> has not answered yet. Until then nothing changes; the offer expires ${renderDay(expires_at)}.
<a href="${workspacePath(workspace, 'transfer')}">Look at the transfer or withdraw it</a>`,
    'You offered this workspace to another member',
  );
}

function renderFiles(workspace: Workspace, files: Files | null): Html {
  const all = workspacePath(workspace, 'files');
  const canUpload = workspace.capabilities.includes('csv.write');
  return html`<section class="card stack" aria-labelledby="files"><h2 id="files">Files</h2>
${files === null && html`<p class="soft">Your membership gives you access to no files. The owner of the workspace can change that.</p>`}
${files?.files.length === 0 && html`<p class="soft">No CSV files yet.${canUpload && ' Upload one to forecast its columns.'}</p>`}
${
  files !== null &&
  files.files.length > 0 &&
  html`<ul class="plain-list">${files.files.map(
    ({ id, name, rows }) =>
      html`<li><a class="tap" href="${workspacePath(workspace, 'files', id)}">${name}</a> <span class="soft small">${formatCount(rows, 'row')}</span></li>`,
  )}</ul>`
}
${files !== null && html`<p><a class="${files.files.length === 0 && canUpload ? 'button quiet' : 'tap'}" href="${all}">${files.files.length === 0 && canUpload ? 'Upload a CSV file' : 'All files'}</a></p>`}
</section>`;
}

/** Renders what the workspace costs and stores, and what the visitor can change about it. */
function renderAbout(workspace: Workspace): Html {
  const { role, member_credits: limit, stored_bytes, created_at, legacy_personal, slug } = workspace;
  const isOwner = role === 'owner';
  const links: (readonly [below: string, label: string])[] = isOwner
    ? [
        ['settings', 'Rename it or limit spending'],
        ['webhooks', 'Send what happens in it to a program'],
        ...(legacy_personal
          ? []
          : ([
              ['transfer', 'Transfer it to another member'],
              ['delete', 'Delete it'],
            ] as const)),
      ]
    : [['leave', 'Leave this workspace']];
  return html`<section class="card stack" aria-labelledby="about"><h2 id="about">About this workspace</h2>
${renderFacts('facts narrow-facts', [
  [
    'Spending',
    html`${isOwner ? 'You pay' : 'The owner pays'} for every forecast in it. ${limit === null ? html`Editors can use any number of ${renderTerm('credit', 'credits')}.` : html`Each other member can use ${renderTerm('credit', formatCount(limit, 'credit'))} a month.`}`,
  ],
  ['Stored', stored_bytes === null ? null : formatSize(stored_bytes)],
  ['Created', renderDay(created_at)],
  ['Address', html`<code>${slug}</code>`],
])}
<ul class="plain-list">${links.map(([below, label]) => html`<li><a class="tap" href="${workspacePath(workspace, below)}">${label}</a></li>`)}</ul>
</section>`;
}
