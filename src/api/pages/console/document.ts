import type { Principal } from '../../../access/index.ts';
import { cleanLine } from '../../../charts/index.ts';
import { type Script, STYLE_URL, scriptUrls } from '../assets.ts';
import { noticeBanner } from '../forms.ts';
import { Html, html } from '../html.ts';
import { renderHeader, type Section } from './header.ts';

/** A console page before it is rendered. */
export interface ConsolePage {
  /** The title of the window. */
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** The entry of the navigation that the page belongs to. */
  readonly section?: Section;
  /** The script that makes the page interactive, in addition to that of all pages. */
  readonly script?: Script;
  /** Whether the title begins with "Error", so that screen readers announce the error first. */
  readonly failed?: boolean;
  /** After how many seconds a browser without scripts loads the page again. */
  readonly refreshSeconds?: number;
  /** The text of the search field in the header. */
  readonly query?: string;
  /** Whether the page has a search field of its own, so that the header has none. */
  readonly ownSearch?: boolean;
}

/** The visitor that a page is rendered for, and its address. */
export interface Surroundings {
  readonly principal: Principal;
  /** The path and query of the page, at which to continue after a sign-in. */
  readonly address: string;
  /** What the action on the previous page did. */
  readonly notice?: string | null;
  /** Whether the browser has no identity yet, so that its scripts make a guest session before they call the API. */
  readonly isNewcomer?: boolean;
}

/** The title of a window has no markup that could isolate the direction of a name, so such characters are removed. */
const MAX_TITLE = 600;

/** Renders the whole document of a console page. */
export function renderConsole(
  page: ConsolePage,
  { principal, address, notice = null, isNewcomer }: Surroundings,
): string {
  const { title, body, failed, section, script, query, ownSearch, refreshSeconds } = page;
  const { scripts, imports } = scriptUrls(script ? ['console', script] : ['console']);
  return html`<!doctype html>
<html lang="en"${isNewcomer && html` data-newcomer`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${failed && 'Error: '}${cleanLine(title, MAX_TITLE)} · Almanac</title>
${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
<link rel="stylesheet" href="${STYLE_URL}">
${imports.map(
  (url) => html`<link rel="modulepreload" href="${url}">
`,
)}${scripts.map(
  (url) => html`<script type="module" src="${url}"></script>
`,
)}</head>
<body class="public console">
<a class="skip" href="#main">Skip to the content</a>
${renderHeader({ principal, address, section, query: ownSearch ? null : (query ?? '') })}
<main id="main" tabindex="-1">
${noticeBanner(notice)}
${body}
</main>
<footer class="site"><div class="foot">
<p>Times are UTC unless another zone is named. A forecast is a statement of probability, not advice.</p>
<ul class="links"><li><a class="tap" href="/glossary">Words</a></li><li><a class="tap" href="/docs/">API documentation</a></li><li><a class="tap" href="/verify">Verify a proof</a></li></ul>
</div></footer>
</body>
</html>
`.text;
}

/** Renders data for a script of the page. It is not executed, so the policy of the page does not apply to it. */
export function dataBlock(id: string, data: unknown): Html {
  // Without "<", no text in the data can end the element.
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<script type="application/json" id="${id}">${new Html(text)}</script>`;
}
