import { escapeHtml } from '../../platform/index.ts';
import { STYLE } from './style.ts';

/** Markup that is safe to send. Create it with `html`, which escapes values. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. `undefined`, `false` and `null` render as nothing, so that `condition && html…` works. */
type Value = string | number | Html | null | undefined | false | readonly Value[];

/**
 * Creates markup from a template. Escapes every value that is not markup itself. Attributes must be in double quotes.
 *
 * @example html`<p title="${title}">${isNew && html`<b>new</b>`} ${name}</p>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => (index === 0 ? '' : render(values[index - 1])) + part).join(''));
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
}

/** A page before it is sent. */
export interface Page {
  /** The title of the window. */
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Whether the page is wide, for lists. */
  readonly wide?: boolean;
  /** Whether the title begins with "Error", so that screen readers announce the error first. */
  readonly failed?: boolean;
  /** Whether forms may lead to another site, as on the page that redirects to an application after consent. */
  readonly formsMayLeave?: boolean;
  /** The address to which the browser continues automatically. */
  readonly forwardTo?: string;
}

/** The logo: a rising line in a circle. */
export const MARK = html`<svg aria-hidden="true" focusable="false" width="26" height="26" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="13" cy="13" r="11.5"/><path d="M6 16.5l4-4 3.5 3 6-7"/></svg>`;

/** Created without `html`, because escaping the stylesheet would change its hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** Renders the whole document. */
export function renderDocument({ title, body, wide, failed, forwardTo }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">${
    forwardTo !== undefined &&
    html`
<meta http-equiv="refresh" content="0;url=${forwardTo}">`
  }
<title>${failed && 'Error: '}${title} · Almanac</title>
${STYLE_ELEMENT}
</head>
<body${wide && html` class="wide"`}>
<header class="brand"><a href="/">${MARK}<span>Almanac</span></a></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}
