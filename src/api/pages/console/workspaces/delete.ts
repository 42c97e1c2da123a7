import { Fault, type Operations, type Output } from '../../../../contract/index.ts';
import { formatCount, formatSize } from '../../format.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import {
  CHANGED,
  hasSeen,
  readWorkspace,
  renderBack,
  renderDenied,
  renderSeen,
  renderWorkspaceForm,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

type Contents = Output<Operations['readWorkspaceContents']>;

/** Lists what is deleted with a workspace, and deletes it after a confirmation. */
export const deletePage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/delete`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    return refuseDeletion(workspace) ?? showDeletion(workspace, await readContents(visit, workspace));
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    const refused = refuseDeletion(workspace);
    if (refused !== null) return refused;
    const contents = await readContents(visit, workspace);
    if (!hasSeen(visit, shownOf(workspace, contents))) return showDeletion(workspace, contents, CHANGED);
    const deleted = await attempt(() =>
      visit.visitor.call('deleteWorkspace', { params: { workspace_id: workspace.id } }),
    );
    if (deleted instanceof Fault) return showDeletion(workspace, contents, toRefusal(deleted));
    setNotice(visit, 'workspace_deleted', WORKSPACES_PATH);
    return new SeeOther(WORKSPACES_PATH);
  },
};

function readContents({ visitor }: ConsoleVisit, { id }: Workspace): Promise<Contents> {
  return visitor.call('readWorkspaceContents', { params: { workspace_id: id } });
}

/** What the page lists. Sizes change with the upkeep of the service, so they do not count. */
function shownOf(
  { name }: Workspace,
  { stored_bytes, limit_bytes, unfinished_forecasts, ...counts }: Contents,
): unknown {
  return [name, counts];
}

function refuseDeletion(workspace: Workspace): ConsolePage | null {
  const heading = 'You cannot delete this workspace';
  if (workspace.role !== 'owner') {
    return renderDenied(
      workspace,
      heading,
      html`Only its owner can delete it. You can <a href="${workspacePath(workspace, 'leave')}">leave it</a> instead.`,
    );
  }
  if (!workspace.legacy_personal) return null;
  return renderDenied(workspace, heading, 'This is your personal workspace. It exists as long as your account.', 409);
}

function showDeletion(workspace: Workspace, contents: Contents, refusal?: Refusal): ConsolePage {
  const lines = listConsequences(contents);
  return renderWorkspaceForm({
    heading: 'Delete this workspace?',
    workspace,
    refusal,
    body: html`<p><strong>${workspace.name}</strong> will be gone for good, with everything in it. This cannot be undone.</p>
${lines.length === 0 ? html`<p>It is empty, and you are its only member.</p>` : html`<ul class="ticks">${lines.map((line) => html`<li>${line}</li>`)}</ul>`}
<form method="post" action="${workspacePath(workspace, 'delete')}" class="actions">${renderSeen(shownOf(workspace, contents))}
<button class="danger">Delete the workspace</button>${renderBack(workspace, 'Keep it')}</form>`,
  });
}

/** Returns what a deletion takes along, one line for each kind. */
function listConsequences(contents: Contents): string[] {
  const {
    files,
    forecasts,
    unfinished_forecasts: unfinished,
    public_forecasts: open,
    events,
    pending_events: pending,
  } = contents;
  const { members, invitations, stored_bytes: bytes } = contents;
  return [
    files > 0 && `${formatCount(files, 'file')}. Download what you need first.`,
    forecasts > 0 &&
      `${formatCount(forecasts, 'forecast')} with results and proofs, also private ones of other members.${
        unfinished > 0
          ? ` ${formatCount(unfinished, 'unfinished one')} will be canceled; ${unfinished === 1 ? 'its' : 'their'} credits are free again.`
          : ''
      } Credits that were used stay used.`,
    open > 0 && `The public pages of ${formatCount(open, 'forecast')} stop working.`,
    events > 0 &&
      `${formatCount(events, 'question')}${pending > 0 ? `, of which ${pending} ${pending === 1 ? 'is' : 'are'} still open` : ''}.`,
    members > 0 && `The access of ${formatCount(members, 'other member')}.`,
    invitations > 0 && `${formatCount(invitations, 'invitation')} without an answer.`,
    bytes > 0 && `Together ${formatSize(bytes)} of your storage, which becomes free.`,
  ].filter((line) => line !== false);
}
