import { COLLABORATOR_ROLES, type CollaboratorRole } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { renderCheck, renderError } from '../fields.ts';
import { renderMeaning } from '../terms.ts';
import { ROLES } from './words.ts';

/** Returns the role that a form has chosen; undefined if it is not one that can be given. */
export function readRole(entered: string | undefined): CollaboratorRole | undefined {
  return COLLABORATOR_ROLES.find((role) => role === entered);
}

/** Renders the choice of a role, each with what it allows. */
export function renderRoles(chosen: string | undefined, errors: FieldErrors): Html {
  return html`<fieldset id="role"><legend class="with-term">Role ${renderMeaning('role')}</legend>
<div class="choices">${COLLABORATOR_ROLES.toReversed().map((role) =>
    renderCheck({
      name: 'role',
      type: 'radio',
      value: role,
      label: ROLES[role].name,
      hint: `${ROLES[role].may.charAt(0).toUpperCase()}${ROLES[role].may.slice(1)}.`,
      checked: role === chosen,
    }),
  )}</div>
${renderError('role', errors)}</fieldset>`;
}
