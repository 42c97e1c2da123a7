import { Html, html, type Html as Markup } from './html.ts';
import { STYLE } from './style.ts';

/** A page before it is sent. */
export interface Page {
  /** What the page is called in the window's title. */
  readonly title: string;
  readonly body: Markup;
  readonly status?: number;
  /** Room for lists. */
  readonly wide?: boolean;
  /** The title says so, for those who hear it first. */
  readonly failed?: boolean;
  /** The forms of this page may end at another site: for the page that gives an application its answer. */
  readonly formsMayLeave?: boolean;
  /** Where the browser goes by itself as soon as it has the page. */
  readonly forwardTo?: string;
}

/** A rising line over a horizon. */
const MARK = html`<svg aria-hidden="true" focusable="false" width="26" height="26" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="13" cy="13" r="11.5"/><path d="M6 16.5l4-4 3.5 3 6-7"/></svg>`;

/** Not a template: the rules of the sheet must arrive as they are, or their hash would not fit. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** The whole document. */
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
<header class="brand">${MARK}<span>Almanac</span></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}
