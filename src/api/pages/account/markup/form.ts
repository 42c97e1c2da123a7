import { type Html, html } from './html.ts';

/** What is wrong, by the name of the field; the key '' is for the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password';
  /** What a password manager puts there. */
  readonly autocomplete: 'username' | 'current-password' | 'new-password';
  readonly hint?: string;
  /** What was typed before. Never a password. */
  readonly value?: string | undefined;
  readonly readonly?: boolean;
}

/** A labelled field with its hint and what is wrong with it, all of which a screen reader says with it. */
export function field(of: Field, errors: FieldErrors = {}): Html {
  const error = errors[of.name];
  const described = [of.hint && `${of.name}-hint`, error && `${of.name}-error`].filter(Boolean).join(' ');
  return html`<div>
<label for="${of.name}">${of.label}</label>
${of.hint && html`<p class="hint" id="${of.name}-hint">${of.hint}</p>`}
<input id="${of.name}" name="${of.name}" type="${of.type}" autocomplete="${of.autocomplete}" required${
    of.readonly && html` readonly`
  }${of.type === 'email' && html` spellcheck="false" autocapitalize="none"`}${
    of.value !== undefined && html` value="${of.value}"`
  }${error && html` aria-invalid="true"`}${described !== '' && html` aria-describedby="${described}"`}>
${error && html`<p class="error" id="${of.name}-error">${error}</p>`}
</div>`;
}

/** A form that posts to its page and comes back by redirect. */
export function form(action: string, content: Html): Html {
  return html`<form method="post" action="${action}" class="stack">${content}</form>`;
}

export function hidden(name: string, value: string | null): Html | null {
  return value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}

const PROBLEM = 'There is a problem';

/**
 * What went wrong, in one place, with the way to each field. It has the focus when the page opens.
 *
 * @param level of its heading, one below the heading it stands under
 */
export function errorSummary(errors: FieldErrors, level: 2 | 3 = 2): Html | null {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
${level === 2 ? html`<h2>${PROBLEM}</h2>` : html`<h3>${PROBLEM}</h3>`}
<ul>${entries.map(([name, message]) => html`<li>${name === '' ? message : html`<a href="#${name}">${message}</a>`}</li>`)}</ul>
</div>`;
}

/** What was just done. */
export function notice(text: string | null): Html | null {
  return text === null ? null : html`<p class="notice" role="status">${text}</p>`;
}
