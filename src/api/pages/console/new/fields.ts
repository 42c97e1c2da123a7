import type { FieldErrors } from '../../forms.ts';
import { type Html, html } from '../../html.ts';

interface Labeled {
  readonly name: string;
  readonly label: string;
  /** What the field means, in one sentence. */
  readonly hint?: string | Html | undefined;
}

interface TextField extends Labeled {
  readonly value?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Whether a keyboard for numbers is enough. */
  readonly isNumber?: boolean | undefined;
  readonly maxlength?: number | undefined;
}

/** Renders a field with its label, hint and error, which screen readers read with it. */
export function renderText(field: TextField, errors: FieldErrors): Html {
  const { name, value, placeholder, isNumber, maxlength = 300 } = field;
  return renderLabeled(
    field,
    errors,
    (links) =>
      html`<input id="${name}" name="${name}" type="text" autocomplete="off" maxlength="${maxlength}"${
        isNumber && html` inputmode="decimal" class="number"`
      }${value && html` value="${value}"`}${placeholder && html` placeholder="${placeholder}"`}${links}>`,
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
  const isOffered = value === undefined || options.some((option) => option.value === value);
  const shown = isOffered ? options : [{ value, label: value }, ...options];
  return renderLabeled(
    field,
    errors,
    (links) =>
      html`<select id="${name}" name="${name}"${links}>${shown.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
      )}</select>`,
  );
}

interface CheckBox extends Labeled {
  readonly checked: boolean;
  readonly disabled?: boolean | undefined;
}

/** Renders a check box with its explanation. */
export function renderCheck({ name, label, hint, checked, disabled }: CheckBox): Html {
  return html`<div class="choice"><input type="checkbox" id="${name}" name="${name}" value="on"${checked && html` checked`}${
    disabled && html` disabled`
  }><label for="${name}">${label}${hint && html` <small>${hint}</small>`}</label></div>`;
}

function renderLabeled({ name, label, hint }: Labeled, errors: FieldErrors, render: (links: Html) => Html): Html {
  const error = errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const links = html`${error && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}`;
  return html`<div class="field" data-field="${name}">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${render(links)}
${renderError(name, errors)}
</div>`;
}

/** Renders the error of a field, if there is one. */
export function renderError(name: string, errors: FieldErrors): Html | undefined {
  const error = errors[name];
  return error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>`;
}
