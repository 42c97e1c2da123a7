import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
}

interface SelectField extends Field {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Renders a list from which one value is picked. A value that is not in the list is shown as well. */
export function selectField({ options, ...field }: SelectField, errors: FieldErrors): Html {
  const isKnown = options.some(({ value }) => value === field.value);
  const all = isKnown || field.value === '' ? options : [{ value: field.value, label: field.value }, ...options];
  return wrap(
    field,
    errors,
    (attributes) =>
      html`<select${attributes}>${all.map(
        ({ value, label }) =>
          html`<option value="${value}"${value === field.value && html` selected`}>${label}</option>`,
      )}</select>`,
  );
}

interface InputField extends Field {
  readonly type: 'text' | 'date';
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly placeholder?: string;
}

export function inputField({ type, min, max, placeholder, ...field }: InputField, errors: FieldErrors): Html {
  return wrap(
    field,
    errors,
    (attributes) =>
      html`<input type="${type}"${attributes} value="${field.value}" autocomplete="off"${
        min !== undefined && html` min="${min}"`
      }${max !== undefined && html` max="${max}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}>`,
  );
}

/** Renders a label, a hint and an error around a control, all linked to it for screen readers. */
function wrap({ name, label, hint }: Field, errors: FieldErrors, control: (attributes: Html) => Html): Html {
  const id = idOf(name);
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return html`<div>
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${control(
  html` id="${id}" name="${name}"${error && html` aria-invalid="true"`}${
    described !== '' && html` aria-describedby="${described}"`
  }`,
)}
${error && html`<p class="error" id="${id}-error">${error}</p>`}
</div>`;
}

/** Returns the id of a field. A name of a dimension can contain any character; an id must not contain blanks. */
export function idOf(name: string): string {
  return name.replace(/\s/g, '_');
}
