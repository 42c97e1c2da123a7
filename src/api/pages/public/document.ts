import { cleanLine } from '../../../charts/index.ts';
import { Html, html, MARK } from '../html.ts';
import { PUBLIC_STYLE } from './style.ts';

/** A public page before it is rendered. */
export interface PublicPage {
  /** The title of the window. */
  readonly title: string;
  readonly body: Html;
  /** The kind of the page, shown beside the logo. */
  readonly kind: string;
  /** One sentence for previews of the link. */
  readonly description?: string;
  /** The addresses that previews of the link use. */
  readonly preview?: { readonly url: string; readonly image: string | null };
}

/** Longer titles are cut. */
const MAX_TITLE = 600;

/** Created without `html`, because escaping the stylesheet would change its hash. */
const STYLE_ELEMENT = new Html(`<style>${PUBLIC_STYLE}</style>`);

/** Renders a whole public page. */
export function renderPublicDocument({ title, body, kind, description, preview }: PublicPage): string {
  return html`${renderHead(title, description, preview)}
<body class="public">
<header class="brand"><a href="/">${MARK}<span>Almanac</span></a><span class="tag">${kind}</span></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** Renders a page that other sites show in a frame: without a header. */
export function renderEmbedded({ title, body }: Pick<PublicPage, 'title' | 'body'>): string {
  return html`${renderHead(title)}
<body class="plain">
<main>
${body}
</main>
</body>
</html>
`.text;
}

function renderHead(title: string, description?: string, preview?: PublicPage['preview']): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${cleanLine(title, MAX_TITLE)} · Almanac</title>${
    description !== undefined &&
    html`
<meta name="description" content="${description}">`
  }${preview !== undefined && renderPreview(title, description ?? '', preview)}
${STYLE_ELEMENT}
</head>`;
}

/** Renders what messengers and other sites read to show a preview of the link. */
function renderPreview(title: string, description: string, { url, image }: NonNullable<PublicPage['preview']>): Html {
  return html`
<link rel="canonical" href="${url}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Almanac">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">${
    image !== null &&
    html`
<meta property="og:image" content="${image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`
  }`;
}
