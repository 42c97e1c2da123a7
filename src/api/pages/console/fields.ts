import type { FieldErrors } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { renderMeaning, type Term } from './terms.ts';

// Every form of the console is made of these fields.

interface Labeled {
  readonly name: string;
  readonly label: string | Html;
  /** What the field means, in one sentence. */
  readonly hint?: string | Html | undefined;
  /** A word of the label that a button beside it explains. */
  readonly term?: Term | undefined;
}

interface TextField extends Labeled {
  readonly value?: string | undefined;
  readonly placeholder?: string | undefined;
  /** `number`: text for which a keyboard for numbers is enough, so that any notation can be refused with a reason. */
  readonly type?: 'text' | 'number' | 'search' | 'date' | 'datetime-local' | 'email' | 'password' | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly maxlength?: number | undefined;
  readonly autocomplete?: string | undefined;
}

/** Renders a field with its label, hint and error, which screen readers read with it. */
export function renderText(field: TextField, errors: FieldErrors): Html {
  const { name, value, placeholder, type = 'text', min, max, maxlength = 300, autocomplete = 'off' } = field;
  const isNumber = type === 'number';
  const isDate = type === 'date' || type === 'datetime-local';
  return renderLabeled(
    field,
    errors,
    (links) =>
      html`<input id="${idOf(name)}" name="${name}" type="${isNumber ? 'text' : type}" autocomplete="${autocomplete}"${
        !isDate && html` maxlength="${maxlength}"`
      }${isNumber && html` inputmode="decimal" class="number"`}${
        (type === 'search' || type === 'email') && html` spellcheck="false"`
      }${min !== undefined && html` min="${min}"`}${max !== undefined && html` max="${max}"`}${
        value && html` value="${value}"`
      }${placeholder && html` placeholder="${placeholder}"`}${links}>`,
  );
}

interface LongTextField extends Labeled {
  readonly value?: string | undefined;
  readonly maxlength: number;
  readonly rows?: number | undefined;
}

/** Renders a field for several lines of text. */
export function renderLongText(field: LongTextField, errors: FieldErrors): Html {
  const { name, value = '', maxlength, rows = 3 } = field;
  return renderLabeled(
    field,
    errors,
    // A browser drops the first line break of the content.
    (links) =>
      html`<textarea id="${idOf(name)}" name="${name}" rows="${rows}" maxlength="${maxlength}" autocomplete="off"${links}>
${value}</textarea>`,
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface Selection extends Labeled {
  readonly options: readonly Option[];
  readonly value: string | undefined;
}

/** Renders a choice of one value. A value that is not on offer is shown all the same, because it was asked for. */
export function renderSelect(field: Selection, errors: FieldErrors): Html {
  const { name, options, value } = field;
  const isOffered = value === undefined || value === '' || options.some((option) => option.value === value);
  const shown = isOffered ? options : [{ value, label: value }, ...options];
  return renderLabeled(
    field,
    errors,
    (links) =>
      html`<select id="${idOf(name)}" name="${name}"${links}>${shown.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
      )}</select>`,
  );
}

interface CheckBox extends Labeled {
  readonly checked: boolean;
  readonly disabled?: boolean | undefined;
  /** What the form sends if the box is checked. Boxes with the same name and different values form a list. */
  readonly value?: string | undefined;
  readonly type?: 'checkbox' | 'radio' | undefined;
}

/** Renders a check box, or one of several choices, with its explanation. */
export function renderCheck({ name, label, hint, checked, disabled, value, type = 'checkbox' }: CheckBox): Html {
  const id = idOf(value === undefined ? name : `${name}-${value}`);
  return html`<div class="choice"><input type="${type}" id="${id}" name="${name}" value="${value ?? 'on'}"${checked && html` checked`}${
    disabled && html` disabled`
  }><label for="${id}">${label}${hint && html` <small>${hint}</small>`}</label></div>`;
}

function renderLabeled({ name, label, hint, term }: Labeled, errors: FieldErrors, render: (links: Html) => Html): Html {
  const id = idOf(name);
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const links = html`${error && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}`;
  return html`<div class="field" data-field="${name}">
${
  term === undefined
    ? html`<label for="${id}">${label}</label>`
    : html`<div class="asked"><label for="${id}">${label}</label>${renderMeaning(term)}</div>`
}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${render(links)}
${renderError(name, errors)}
</div>`;
}

/** Renders the error of a field, if there is one. */
export function renderError(name: string, errors: FieldErrors): Html | undefined {
  const error = errors[name];
  return error === undefined ? undefined : html`<p class="error" id="${idOf(name)}-error">${error}</p>`;
}

/** Returns the id of a field. A name, such as that of a dimension, can contain blanks; an id must not. */
export function idOf(name: string): string {
  return name.replace(/\s/g, '_');
}
