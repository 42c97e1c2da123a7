import { formatInteger } from '../../format.ts';
import { type FieldErrors, hidden } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError, renderText } from '../fields.ts';
import { renderNote } from '../states.ts';
import { type Erasure, formatOwned, joinWords, KIND_NAMES, type Kind } from './owned-words.ts';

/** What a form that was not accepted had chosen. */
export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

/** The name of the field of a public forecast. A form must not have two fields of one name. */
export function keepField(id: string): string {
  return `keep.${id}`;
}

export const KEEP_ALL = 'keep_all';

/** Renders what would be removed, with the names behind each number. */
export function renderRemoved({ removed, unfinished_forecasts: unfinished }: Erasure): Html {
  const kinds = KIND_NAMES.filter((kind) => removed[kind].total > 0);
  return html`<section class="stack" aria-labelledby="removed"><h2 id="removed">What is removed</h2>
<p>Your address, your password, your plan, all sessions and security events, and:</p>
<div class="owned">${kinds.map((kind) => renderKind(kind, removed[kind]))}</div>
${unfinished > 0 && html`<p>${unfinished === 1 ? 'A forecast that is' : `${formatInteger(unfinished)} forecasts that are`} queued or running will be canceled first.</p>`}
<p class="soft">Credits that were used stay in the books of the service, under a number without a name.</p>
</section>`;
}

/** Longer lists are closed, so that the page shows all kinds. */
const MAX_OPEN = 5;

function renderKind(kind: Kind, { total, items }: Erasure['removed'][Kind]): Html {
  const more = total - items.length;
  return html`<details${total <= MAX_OPEN && html` open`}><summary>${formatOwned(kind, total)}</summary>
<ul>${items.map(
    ({ name }) => html`<li dir="auto">${name ?? 'Without a name'}</li>
`,
  )}${more > 0 && html`<li class="soft">and ${formatInteger(more)} more</li>`}</ul>
</details>
`;
}

/** Renders the memberships that end, and what stays with the owners of those workspaces. */
export function renderMemberships({ memberships }: Erasure): Html | false {
  return (
    memberships.length > 0 &&
    html`<section class="stack" aria-labelledby="elsewhere"><h2 id="elsewhere">What ends elsewhere</h2>
<p>You leave these workspaces. What you shared there stays and then belongs to their owners. What was private there is removed.</p>
<ul>${memberships.map(({ name, forecasts, events }) => {
      const shared = [
        forecasts > 0 && formatOwned('forecasts', forecasts),
        events > 0 && formatOwned('events', events),
      ].filter((words) => words !== false);
      const stays = shared.length === 0 ? 'nothing of yours stays there' : `${joinWords(shared)} of yours stay there`;
      return html`<li><bdi>${name}</bdi>: ${stays}</li>
`;
    })}</ul>
</section>`
  );
}

/** Renders the choice of public forecasts that stay. */
export function renderKeepable(
  { public_forecasts: { total, items } }: Erasure,
  { ids, isAll }: Chosen,
  errors: FieldErrors,
): Html | false {
  if (total === 0) return false;
  return html`<fieldset class="owned-keep" id="keep_public"><legend><h2>Public forecasts that stay</h2></legend>
<p class="hint">A forecast that stays keeps its address, chart and proof, but belongs to no one: neither you nor anyone else can change or delete it later. Its rows stay frozen with it and are not shown unless their source is public. Public questions cannot stay.</p>
${renderError('keep_public', errors)}
${
  total > 1 &&
  renderCheck({
    name: KEEP_ALL,
    label: `All ${formatInteger(total)} public forecasts stay`,
    hint: items.length < total ? `Only the newest ${formatInteger(items.length)} are listed below.` : undefined,
    checked: isAll,
  })
}
${items.map(({ id, slug, name }) =>
  renderCheck({
    name: keepField(id),
    label: html`<bdi>${name}</bdi>`,
    hint: html`/forecasts/${slug}`,
    checked: ids.has(id),
  }),
)}
</fieldset>`;
}

/** Renders the last question, and the button that erases the account. */
export function renderConfirmation(email: string, seen: string, errors: FieldErrors): Html {
  return html`<section class="stack owned-confirm" aria-labelledby="confirm"><h2 id="confirm">Confirm</h2>
<p>This cannot be undone, and no one at this service can restore the account <strong><bdi>${email}</bdi></strong>.</p>
${renderText(
  { name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', maxlength: 1024 },
  errors,
)}
${hidden('seen', seen)}
<p class="actions"><button class="danger">Erase my account and everything listed</button>
<a class="button quiet" href="/auth/account">Keep my account</a></p>
</section>`;
}

/** Renders what has to be dealt with before. */
export function renderBlocked({ blocked_by: reasons }: Erasure): Html {
  const workspaces = reasons.filter((reason) => reason.kind === 'workspace');
  const isOnlyAdministrator = reasons.some(({ kind }) => kind === 'administration');
  return html`${renderNote(
    'warning',
    html`${isOnlyAdministrator && html`You are the only administrator of this service. <a href="/admin/users">Make another account an administrator</a> first, so that one always remains. `}${
      workspaces.length > 0 && nameRemedy(workspaces)
    }Then come back to this page.`,
    'Your account cannot be erased yet',
  )}
${
  workspaces.length > 0 &&
  html`<ul>${workspaces.map(
    ({ slug, name, members }) =>
      html`<li><a href="/workspaces/${encodeURIComponent(slug)}"><bdi>${name}</bdi></a>: ${members === 1 ? 'one other member' : `${formatInteger(members)} other members`}</li>
`,
  )}</ul>`
}`;
}

/** A personal workspace can be neither given away nor deleted. */
function nameRemedy(workspaces: readonly { readonly personal: boolean }[]): string {
  const begin = 'Other members work in workspaces that you own.';
  if (workspaces.every(({ personal }) => personal))
    return 'Other members work in your personal workspace. Remove them. ';
  const rule = workspaces.some(({ personal }) => personal)
    ? ' From your personal workspace, you can only remove them.'
    : '';
  return `${begin} Give each to a member, delete it, or remove its members.${rule} `;
}
