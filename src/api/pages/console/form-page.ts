import { errorSummary, type FieldErrors } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { ConsolePage } from './document.ts';
import type { Section } from './header.ts';
import { toPageWords } from './problem-words.ts';
import type { Refusal } from './refusals.ts';

/** A link of the path above the heading of a page. */
export interface Crumb {
  readonly href: string;
  readonly label: string;
}

export function renderCrumbs(crumbs: readonly Crumb[]): Html {
  return html`<nav class="crumbs" aria-label="Path"><ul>${crumbs.map(
    ({ href, label }) => html`<li><a href="${href}">${label}</a></li>
`,
  )}</ul></nav>`;
}

/** Renders why a form was refused, above the form. */
export function renderRefusal(refusal: Refusal | undefined): Html | false {
  return (
    refusal !== undefined &&
    html`<div class="alert" role="alert" tabindex="-1" autofocus><h2>This did not work</h2><p>${toPageWords(refusal.message)}</p></div>`
  );
}

interface FormPage {
  readonly heading: string;
  /** The title of the window, if it is not the heading. */
  readonly title?: string | undefined;
  readonly section: Section;
  readonly crumbs: readonly Crumb[];
  readonly body: Html;
  readonly refusal?: Refusal | undefined;
  readonly errors?: FieldErrors | undefined;
}

/** Renders a page for one form, below the path to what the form changes. Errors come first and set the status. */
export function renderFormPage({ heading, title, section, crumbs, body, refusal, errors = {} }: FormPage): ConsolePage {
  const hasErrors = Object.keys(errors).length > 0;
  return {
    title: title ?? heading,
    section,
    status: refusal?.status ?? (hasErrors ? 400 : 200),
    failed: refusal !== undefined || hasErrors,
    body: html`${renderCrumbs(crumbs)}
<div class="card stack action-page">
<h1>${heading}</h1>
${renderRefusal(refusal)}
${errorSummary(errors)}
${body}
</div>`,
  };
}
