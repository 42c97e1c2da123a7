import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { attempt, type Refusal, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { readRole, renderRoles } from './role-field.ts';
import {
  choicesOf,
  findErrors,
  findGoneItems,
  PICKER_FORM_BYTES,
  readChoices,
  readOffer,
  readSearch,
  renderPicker,
  type ScopeChoice,
  toScope,
} from './scope-picker.ts';
import {
  CHANGED,
  type Collaborator,
  findCollaborator,
  hasSeen,
  readCollaborators,
  readWorkspace,
  renderBack,
  renderDenied,
  renderSeen,
  renderWorkspaceForm,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

/** The form that changes the role and the resource scope of a member or an invitation. */
export const memberPage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/members/:collaborator`,
  formBytes: PICKER_FORM_BYTES,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    const member = findCollaborator(visit, await readCollaborators(visit, workspace));
    return refuseChange(workspace, member) ?? showForm(visit, workspace, member, present(member));
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    const member = findCollaborator(visit, await readCollaborators(visit, workspace));
    const refused = refuseChange(workspace, member);
    if (refused !== null) return refused;
    const entered = { role: readField(visit.form, 'role'), choices: readChoices(visit.form) };
    if (readSearch(visit.form) !== null) return showForm(visit, workspace, member, entered);
    if (!hasSeen(visit, shownOf(member))) {
      return showForm(visit, workspace, member, { ...present(member), refusal: CHANGED });
    }
    const role = readRole(entered.role);
    const errors: FieldErrors = {
      ...(role === undefined && { role: 'Choose a role.' }),
      ...findErrors(entered.choices),
    };
    if (Object.keys(errors).length > 0) return showForm(visit, workspace, member, { ...entered, errors });
    const changed = await attempt(() =>
      visit.visitor.call('updateCollaborator', {
        params: { workspace_id: workspace.id, collaborator_id: member.collaborator_id },
        body: { role, resource_scope: toScope(entered.choices, member.resource_scope) },
      }),
    );
    if (changed instanceof Fault) {
      const found = findGoneItems(changed);
      const explained = found ? { errors: found } : { refusal: toRefusal(changed) };
      return showForm(visit, workspace, member, { ...entered, ...explained });
    }
    setNotice(visit, 'member_changed', workspacePath(workspace));
    return new SeeOther(workspacePath(workspace));
  },
};

/** Returns the page that refuses a change; null if the visitor may make it. */
function refuseChange(workspace: Workspace, member: Collaborator): ConsolePage | null {
  const heading = 'You cannot change this membership';
  if (!workspace.permissions.includes('members.manage')) {
    return renderDenied(workspace, heading, 'Only the owner of this workspace can change roles and resource scopes.');
  }
  if (member.role !== 'owner') return null;
  return renderDenied(
    workspace,
    heading,
    'The owner always has every permission. Transfer the workspace to make another member the owner.',
    409,
  );
}

/** What the form shows. If it changes while the form is open, the form does nothing. */
function shownOf({ role, resource_scope }: Collaborator): unknown {
  return [role, resource_scope];
}

interface Entered {
  readonly role: string | undefined;
  readonly choices: ScopeChoice;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

function present({ role, resource_scope }: Collaborator): Entered {
  return { role, choices: choicesOf(resource_scope) };
}

async function showForm(
  visit: ConsoleVisit,
  workspace: Workspace,
  member: Collaborator,
  { role, choices, errors = {}, refusal }: Entered,
): Promise<ConsolePage> {
  const { collaborator_id: id, email, kind } = member;
  const offer = await readOffer(visit.visitor, workspace, choices);
  return renderWorkspaceForm({
    heading: kind === 'member' ? 'Change a membership' : 'Change an invitation',
    workspace,
    refusal,
    errors,
    body: html`<p><strong>${email}</strong> ${kind === 'member' ? 'is a member. A change applies from the next request on.' : 'has not answered yet. Accepting gives what you choose here.'}</p>
<form method="post" action="${workspacePath(workspace, 'members', id)}" class="stack">${renderSeen(shownOf(member))}
${renderRoles(role, errors)}
${renderPicker(choices, offer, errors)}
<p class="actions"><button>Save</button>${renderBack(workspace, 'Cancel')}</p></form>`,
  });
}
