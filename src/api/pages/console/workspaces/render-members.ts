import { formatCount, formatInteger } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { renderTerm } from '../terms.ts';
import type { ConsoleVisit } from '../visit.ts';
import { describeScope, ROLES, renderDay } from './words.ts';
import { type Collaborator, isVisitor, type Workspace, workspacePath } from './workspace-visit.ts';

/** Renders the members with role, resource scope and credits, and the invitations that wait for an answer. */
export function renderMembers(visit: ConsoleVisit, workspace: Workspace, collaborators: readonly Collaborator[]): Html {
  const members = collaborators.filter(({ kind }) => kind === 'member');
  const invitations = collaborators.filter(({ kind }) => kind === 'invitation');
  const canManage = workspace.permissions.includes('members.manage');
  return html`<section class="card stack" aria-labelledby="members">
<div class="card-head"><h2 id="members">Members</h2>
${canManage && html`<a class="button" href="${workspacePath(workspace, 'invite')}">Invite a colleague</a>`}</div>
<p class="soft small">${renderTerm('role', 'Roles')} state what members may do, the ${renderTerm('resource scope')} with which files and forecasts.</p>
<ul class="people">${members.map((member) => renderMember(visit, workspace, member, canManage))}
</ul>
${invitations.length > 0 && renderInvitations(workspace, invitations, canManage)}
${canManage && members.length === 1 && invitations.length === 0 && html`<p class="soft">You are the only member. Others see what is in here only after you have invited them and they have accepted.</p>`}
</section>`;
}

function renderMember(visit: ConsoleVisit, workspace: Workspace, member: Collaborator, canManage: boolean): Html {
  const { collaborator_id: id, email, role, resource_scope, created_at } = member;
  const isOwn = isVisitor(visit, member);
  const about = html`<span class="away"> ${email}</span>`;
  return html`
<li><div class="person"><h3>${email}${isOwn && html` <span class="soft">(you)</span>`}</h3>
<p class="soft small">${role === 'owner' ? ROLES.owner.may.replace('manages', 'Manages') : `${describeScope(resource_scope)} · since `}${role !== 'owner' && renderDay(created_at)}</p>
${renderCredits(workspace, member)}</div>
<p><span class="tag plain">${ROLES[role].name}</span></p>
${
  canManage &&
  role !== 'owner' &&
  html`<p class="actions"><a class="tap" href="${workspacePath(workspace, 'members', id)}">Change${about}</a>
<a class="tap" href="${workspacePath(workspace, 'members', id, 'remove')}">Remove${about}</a></p>`
}</li>`;
}

/** Renders the credits that a member has used this month, for the owner and for the member itself. */
function renderCredits({ member_credits: limit }: Workspace, { credits_used: used, role }: Collaborator): Html | false {
  // A viewer spends nothing, unless it was an editor before.
  if (used === null || (used === 0 && role === 'viewer')) return false;
  if (limit === null) return html`<p class="small">${formatCount(used, 'credit')} used this month</p>`;
  const text = `${formatInteger(used)} of ${formatCount(limit, 'credit')} used this month`;
  return html`<p class="small">${text}</p>${limit > 0 && html`<progress class="spent" aria-label="Credits used this month" max="${limit}" value="${Math.min(used, limit)}">${text}</progress>`}`;
}

function renderInvitations(workspace: Workspace, invitations: readonly Collaborator[], canManage: boolean): Html {
  return html`<h3 id="invited">${renderTerm('invitation', 'Invitations')} without an answer yet</h3>
<ul class="people" aria-labelledby="invited">${invitations.map(
    ({ collaborator_id: id, email, role, resource_scope, created_at, expires_at }) => html`
<li><div class="person"><h4>${email}</h4>
<p class="soft small">${describeScope(resource_scope)} · invited ${renderDay(created_at)}${expires_at !== null && html` · expires ${renderDay(expires_at)}`}</p></div>
<p><span class="tag plain">${ROLES[role].name}</span></p>
${
  canManage &&
  html`<p class="actions"><a class="tap" href="${workspacePath(workspace, 'members', id)}">Change<span class="away"> the invitation of ${email}</span></a>
<a class="tap" href="${workspacePath(workspace, 'members', id, 'remove')}">Withdraw<span class="away"> the invitation of ${email}</span></a></p>`
}</li>`,
  )}
</ul>`;
}
