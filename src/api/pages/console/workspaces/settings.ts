import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderText } from '../fields.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute } from '../visit.ts';
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

const LABELS = { name: 'Name', member_credits: 'Credits for each member' } as const;

/** The form that renames a workspace and limits what its members can spend. */
export const settingsPage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/settings`,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    return canUpdate(workspace) ? showForm(workspace, present(workspace)) : deny(workspace);
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    if (!canUpdate(workspace)) return deny(workspace);
    if (!hasSeen(visit, present(workspace))) return showForm(workspace, { ...present(workspace), refusal: CHANGED });
    const entered = {
      name: readField(visit.form, 'name') ?? '',
      credits: (readField(visit.form, 'member_credits') ?? '').trim(),
    };
    const limit = readLimit(entered.credits);
    if (limit === undefined) {
      const errors = {
        member_credits: 'Credits for each member must be a whole number such as 500, or empty for no limit.',
      };
      return showForm(workspace, { ...entered, errors });
    }
    const changed = await attempt(() =>
      visit.visitor.call('renameWorkspace', {
        params: { workspace_id: workspace.id },
        body: { name: entered.name, member_credits: limit },
      }),
    );
    if (changed instanceof Fault) {
      const errors = toFieldErrors(changed, LABELS);
      return showForm(workspace, { ...entered, ...(errors ? { errors } : { refusal: toRefusal(changed) }) });
    }
    setNotice(visit, 'workspace_changed', workspacePath(workspace));
    return new SeeOther(workspacePath(workspace));
  },
};

/** Returns the number that was entered, null if the field is empty, undefined if it is not a whole number. */
function readLimit(entered: string): number | null | undefined {
  if (entered === '') return null;
  return /^\d{1,3}(?:[ ,]?\d{3})*$|^\d+$/.test(entered) ? Number(entered.replace(/[ ,]/g, '')) : undefined;
}

function canUpdate({ permissions }: Workspace): boolean {
  return permissions.includes('workspace.update');
}

function deny(workspace: Workspace): ConsolePage {
  return renderDenied(
    workspace,
    'You cannot change this workspace',
    'Only the owner of this workspace can rename it or limit what members spend.',
  );
}

interface Entered {
  readonly name: string;
  readonly credits: string;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

function present({ name, member_credits }: Workspace): Entered {
  return { name, credits: member_credits === null ? '' : String(member_credits) };
}

function showForm(workspace: Workspace, { name, credits, errors = {}, refusal }: Entered): ConsolePage {
  return renderWorkspaceForm({
    heading: 'Name and spending',
    workspace,
    refusal,
    errors,
    body: html`<form method="post" action="${workspacePath(workspace, 'settings')}" class="stack">${renderSeen(present(workspace))}
${renderText({ name: 'name', label: 'Name', hint: 'The address of the workspace stays the same.', value: name, maxlength: 80 }, errors)}
${renderText(
  {
    name: 'member_credits',
    label: 'Credits for each member',
    term: 'credit',
    type: 'number',
    hint: 'How many of your credits each other member can use in this workspace in a calendar month (UTC). Empty: no limit. 0: none. Credits that were used this month count.',
    value: credits,
    maxlength: 20,
  },
  errors,
)}
<p class="actions"><button>Save</button>${renderBack(workspace, 'Cancel')}</p></form>
<p>A webhook sends what happens in the workspace to a program of yours. <a href="${workspacePath(workspace, 'webhooks')}">Webhooks of the workspace</a></p>`,
  });
}
