import { Fault } from '../../../../contract/index.ts';
import { type FieldErrors, hidden, newEmailField, readField } from '../../forms.ts';
import { html } from '../../html.ts';
import { NO_MAIL_SERVER } from '../../no-mail-server.ts';
import { SeeOther, setNotice } from '../../visit.ts';
import type { ConsolePage } from '../document.ts';
import { renderText } from '../fields.ts';
import { renderHint } from '../hints.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { readRole, renderRoles } from './role-field.ts';
import {
  ALL,
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
  readCollaborators,
  readWorkspace,
  renderBack,
  renderDenied,
  renderWorkspaceForm,
  WORKSPACES_PATH,
  type Workspace,
  workspacePath,
} from './workspace-visit.ts';

const HEADING = 'Invite a colleague';
const LABELS = { email: 'Email address', role: 'Role' } as const;

/** The form that invites a person by email. */
export const invitePage: ConsoleRoute = {
  path: `${WORKSPACES_PATH}/:slug/invite`,
  formBytes: PICKER_FORM_BYTES,

  async get(visit) {
    const workspace = await readWorkspace(visit);
    return canInvite(workspace) ? showForm(visit, workspace, { choices: ALL, role: 'viewer' }) : deny(workspace);
  },

  async post(visit) {
    const workspace = await readWorkspace(visit);
    if (!canInvite(workspace)) return deny(workspace);
    const { form } = visit;
    const email = readField(form, 'email') ?? '';
    const entered = { email, role: readField(form, 'role'), choices: readChoices(form) };
    if (readSearch(form) !== null) return showForm(visit, workspace, entered);
    const errors: FieldErrors = {
      ...checkAddress(email),
      ...(readRole(entered.role) === undefined && { role: 'Choose a role.' }),
      ...findErrors(entered.choices),
    };
    if (Object.keys(errors).length > 0) return showForm(visit, workspace, { ...entered, errors });
    const added = await attempt(() =>
      visit.visitor.call('addCollaborator', {
        params: { workspace_id: workspace.id },
        body: { email: email.trim(), role: entered.role, resource_scope: toScope(entered.choices) },
      }),
    );
    if (added instanceof Fault && !(await isRepeated(visit, workspace, entered.choices, added))) {
      const found = findGoneItems(added) ?? toFieldErrors(added, LABELS);
      const page = await showForm(visit, workspace, {
        ...entered,
        ...(found ? { errors: found } : { refusal: toRefusal(added) }),
      });
      return { ...page, status: added.status };
    }
    setNotice(visit, visit.hasMailServer ? 'invitation_sent' : 'invitation_logged', workspacePath(workspace));
    return new SeeOther(workspacePath(workspace));
  },
};

function checkAddress(entered: string): FieldErrors {
  if (entered.trim() === '') return { email: 'Enter the email address of your colleague.' };
  const { error } = newEmailField().safeParse(entered);
  return error === undefined ? {} : { email: error.issues[0]?.message ?? 'Enter a valid email address.' };
}

function canInvite({ permissions }: Workspace): boolean {
  return permissions.includes('members.manage');
}

function deny(workspace: Workspace): ConsolePage {
  return renderDenied(
    workspace,
    'You cannot invite members',
    'Only the owner of this workspace can invite others. Ask the owner.',
  );
}

/**
 * Returns whether the same form was sent before: its invitation is open, newer than the form, and has the same role and
 * scope. Otherwise the owner would believe that a narrower scope applies.
 */
async function isRepeated(
  visit: ConsoleVisit,
  workspace: Workspace,
  choices: ScopeChoice,
  { code }: Fault,
): Promise<boolean> {
  const since = readField(visit.form, 'since');
  if (code !== 'CONFLICT' || since === undefined) return false;
  const email = readField(visit.form, 'email')?.trim().toLowerCase();
  const role = readField(visit.form, 'role');
  return (await readCollaborators(visit, workspace)).some(
    (one) =>
      one.kind === 'invitation' &&
      one.email === email &&
      one.role === role &&
      one.created_at >= since &&
      Object.keys(toScope(choices, one.resource_scope)).length === 0,
  );
}

interface Entered {
  readonly email?: string;
  readonly role: string | undefined;
  readonly choices: ScopeChoice;
  readonly errors?: FieldErrors;
  readonly refusal?: Refusal;
}

async function showForm(
  visit: ConsoleVisit,
  workspace: Workspace,
  { email, role, choices, errors = {}, refusal }: Entered,
): Promise<ConsolePage> {
  const offer = await readOffer(visit.visitor, workspace, choices);
  return renderWorkspaceForm({
    heading: HEADING,
    workspace,
    refusal,
    errors,
    body: html`<p>${visit.hasMailServer ? 'The address gets an email.' : NO_MAIL_SERVER} The owner of the address becomes a member of <strong>${workspace.name}</strong> by accepting, there or on
the page Workspaces, within 14 days. Until then nothing is shared.</p>
${renderHint(visit, 'workspace-invite', 'Your colleague needs no account yet: the link in the email leads to the sign-up.')}
<form method="post" action="${workspacePath(workspace, 'invite')}" class="stack">${hidden('since', visit.now.toISOString())}
${renderText({ name: 'email', label: 'Email address', type: 'email', value: email, maxlength: 254, placeholder: 'name@example.org' }, errors)}
${renderRoles(role, errors)}
${renderPicker(choices, offer, errors)}
<p class="actions"><button>Send the invitation</button>${renderBack(workspace, 'Cancel')}</p></form>`,
  });
}
