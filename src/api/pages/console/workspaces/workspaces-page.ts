import { Fault } from '../../../../contract/index.ts';
import { formatCount, formatSize } from '../../format.ts';
import { errorSummary, type FieldErrors, hidden, readField } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { SeeOther, setNotice, withReturnTo } from '../../visit.ts';
import { runInTurn } from '../actions/run-in-turn.ts';
import type { ConsolePage } from '../document.ts';
import { renderText } from '../fields.ts';
import { renderRefusal } from '../form-page.ts';
import { renderHint } from '../hints.ts';
import { attempt, type Refusal, toFieldErrors, toRefusal } from '../refusals.ts';
import { renderEmpty, renderNote } from '../states.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleRoute, ConsoleVisit } from '../visit.ts';
import { readInvitations, renderReceived } from './invitations.ts';
import { ROLES } from './words.ts';
import { WORKSPACES_PATH, type Workspace, workspacePath } from './workspace-visit.ts';

const MAX_NAME_LENGTH = 80;

/** The visitor's workspaces, the invitations to others, and the form that creates one. */
export const workspacesPage: ConsoleRoute = {
  path: WORKSPACES_PATH,

  get: (visit) => showList(visit),

  async post(visit) {
    const name = readField(visit.form, 'name') ?? '';
    const created = await attempt(() => create(visit, name));
    if (created instanceof Fault) return showList(visit, { name, ...explain(created) });
    setNotice(visit, 'workspace_created', workspacePath(created));
    return new SeeOther(workspacePath(created));
  },
};

/**
 * Creates a workspace. A form that is sent twice creates one: a workspace of the same name that the visitor created after
 * the form was rendered is the one that the first request created.
 */
function create({ visitor, form }: ConsoleVisit, name: string): Promise<Workspace> {
  const { principal } = visitor;
  const owner = principal.kind === 'account' ? principal.accountId : '';
  return runInTurn(`workspace of ${owner}`, async () => {
    const since = readField(form, 'since');
    const { workspaces } = await visitor.call('listWorkspaces');
    const twin = workspaces.find(
      (known) =>
        since !== undefined && known.role === 'owner' && known.name === name.trim() && known.created_at >= since,
    );
    return twin ?? visitor.call('createWorkspace', { body: { name } });
  });
}

interface Attempt {
  readonly name?: string;
  readonly refusal?: Refusal;
  readonly errors?: FieldErrors;
}

function explain(fault: Fault): Attempt {
  const errors = toFieldErrors(fault, { name: 'Name' });
  return errors === null ? { refusal: toRefusal(fault) } : { errors };
}

async function showList(visit: ConsoleVisit, { name, refusal, errors = {} }: Attempt = {}): Promise<ConsolePage> {
  const page = { title: 'Workspaces', section: 'workspaces', script: 'workspaces' } as const;
  const listed = await attempt(() => visit.visitor.call('listWorkspaces'));
  if (listed instanceof Fault) {
    if (listed.code !== 'UNAUTHENTICATED' && listed.code !== 'ACCOUNT_REQUIRED') throw listed;
    return { ...page, status: listed.status, body: html`${renderHead()}${renderNeedsAccount(visit)}` };
  }
  const { workspaces } = listed;
  const invitations = await readInvitations(visit);
  const hasErrors = Object.keys(errors).length > 0;
  return {
    ...page,
    status: refusal?.status ?? (hasErrors ? 400 : 200),
    failed: refusal !== undefined || hasErrors,
    body: html`${renderHead()}
${renderRefusal(refusal)}${errorSummary(errors)}
${renderUnverified(visit)}
${renderReceived(invitations)}
${renderHint(
  visit,
  'workspaces',
  'Only you see what is in your personal workspace, unless you invite others. To work with colleagues, better create another one, which you can also transfer or delete: each gets a role, and you decide which files and forecasts each can use.',
)}
<section aria-labelledby="mine"><h2 class="away" id="mine">My workspaces</h2>
<ul class="workspace-list">${workspaces.map(renderWorkspace)}</ul></section>
${renderCreate(visit, { name, errors })}`,
  };
}

function renderHead(): Html {
  return html`<div class="page-head"><div><h1>Workspaces</h1>
<p class="soft">A ${renderTerm('workspace')} holds files and forecasts, for you alone or together with others.</p></div></div>`;
}

function renderNeedsAccount({ address }: ConsoleVisit): Html {
  return renderEmpty({
    title: 'Work on forecasts together',
    text: 'A workspace holds CSV files and forecasts for you and your colleagues. You invite them by email, choose what each can see and change, and limit what each can spend. It needs an account, which is free.',
    steps: [
      { href: withReturnTo('/auth/sign-up', address), label: 'Create an account' },
      { href: withReturnTo('/auth/sign-in', address), label: 'Sign in' },
    ],
  });
}

/** Invitations are listed only for a verified address, so an account without one learns how to see them. */
function renderUnverified({ visitor }: ConsoleVisit): Html | false {
  const { principal } = visitor;
  return (
    principal.kind === 'account' &&
    !principal.emailVerified &&
    renderNote(
      'info',
      html`Invitations to ${principal.email} appear here after you have confirmed the address.
<a href="/auth/account">Confirm it on your account page</a>`,
      'Your email address is not confirmed yet',
    )
  );
}

function renderWorkspace(workspace: Workspace): Html {
  const { role, members, stored_bytes, legacy_personal } = workspace;
  const facts = [
    members === 1 ? 'Only you' : formatCount(members, 'member'),
    stored_bytes === null ? null : stored_bytes === 0 ? 'nothing stored yet' : `${formatSize(stored_bytes)} stored`,
  ].filter((fact) => fact !== null);
  return html`
<li class="card link"><h3><a class="cover" href="${workspacePath(workspace)}">${labelWorkspace(workspace)}</a></h3>
<p class="soft small">${facts.join(' · ')}</p>
<p><span class="tag plain">${legacy_personal && role === 'owner' ? 'Your personal workspace' : ROLES[role].name}</span></p></li>`;
}

function renderCreate(
  { now }: ConsoleVisit,
  { name, errors }: { name: string | undefined; errors: FieldErrors },
): Html {
  return html`<section class="card stack narrow" aria-labelledby="create">
<h2 id="create">New workspace</h2>
<p>You become its owner. Forecasts in it use your ${renderTerm('credit', 'credits')}, and you decide what each member can see
and spend.</p>
<form method="post" action="${WORKSPACES_PATH}" class="stack">${hidden('since', now.toISOString())}
${renderText({ name: 'name', label: 'Name', hint: 'Such as the name of a team or a project. You can change it later.', value: name, maxlength: MAX_NAME_LENGTH }, errors)}
<p><button>Create the workspace</button></p></form>
</section>`;
}
