import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { labelWorkspace } from '../../label-workspace.ts';
import { SOURCE_WORDS } from '../words.ts';
import { type Given, textOf } from './list-address.ts';
import type { Choices } from './read-list.ts';

/** The filters of a view: what was given, and what was wrong with it. */
export interface Filters {
  readonly given: Given;
  readonly errors: FieldErrors;
}

type Option = readonly [value: string, label: string];

/** Renders a choice. A value of the address that is not among the options, such as a symbol, becomes one. */
export function selectField(
  { given, errors }: Filters,
  name: string,
  label: string,
  options: readonly Option[],
  any: string | null,
): Html {
  const chosen = textOf(given, name);
  const isOther = chosen !== '' && errors[name] === undefined && !options.some(([value]) => value === chosen);
  const all: readonly Option[] = [
    ...(any === null ? [] : [['', any] as const]),
    ...options,
    ...(isOther ? [[chosen, chosen] as const] : []),
  ];
  return html`<div>
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${describedBy(errors, name)}>${all.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>
${fieldError(errors, name)}
</div>`;
}

/** Renders the choices that the list and the track record share. @param anyWorkspace the choice of no workspace */
export function choiceFields(filters: Filters, { models, workspaces }: Choices, anyWorkspace: string): Html {
  const places = workspaces.map((workspace) => [workspace.id, labelWorkspace(workspace)] as const);
  return html`${selectField(filters, 'source', 'Source', Object.entries(SOURCE_WORDS), 'Any source')}
${selectField(
  filters,
  'model',
  'Model',
  models.map(({ id, name }) => [id, name] as const),
  'Any model',
)}
${workspaces.length > 0 && selectField(filters, 'workspace_id', 'Workspace', places, anyWorkspace)}`;
}

/** Renders a field for text, a number or a date. */
export function inputField(
  { given, errors }: Filters,
  name: string,
  label: string,
  { type, placeholder, max }: { readonly type: 'search' | 'number' | 'date'; placeholder?: string; max?: number },
): Html {
  return html`<div>
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="off" value="${textOf(given, name)}"${
    placeholder !== undefined && html` placeholder="${placeholder}"`
  }${type === 'search' && html` maxlength="200" spellcheck="false"`}${
    type === 'number' && html` min="1" max="${max ?? 365}" inputmode="numeric"`
  }${describedBy(errors, name)}>
${fieldError(errors, name)}
</div>`;
}

/** Renders a box to tick. */
export function checkField({ given, errors }: Filters, name: string, label: string): Html {
  return html`<div class="choice">
<input id="${name}" name="${name}" type="checkbox" value="true"${given[name] === 'true' && html` checked`}${describedBy(errors, name)}>
<label for="${name}">${label}</label>
${fieldError(errors, name)}
</div>`;
}

function describedBy(errors: FieldErrors, name: string): Html | false {
  return errors[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`;
}

function fieldError(errors: FieldErrors, name: string): Html | false {
  return errors[name] !== undefined && html`<p class="error" id="${name}-error">${errors[name]}</p>`;
}
