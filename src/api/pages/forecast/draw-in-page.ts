import { Html, html } from '../html.ts';

interface Options {
  readonly width: number;
  readonly height: number;
  readonly id: string;
  readonly standalone: false;
}

/**
 * Draws the chart within a page, once for wide windows and once for phones, because text that shrinks with a chart could
 * not be read there. The stylesheet shows one of them.
 */
export function drawInPage(draw: (options: Options) => string): Html {
  const wide = draw({ width: 920, height: 460, id: 'wide', standalone: false });
  const narrow = draw({ width: 350, height: 410, id: 'narrow', standalone: false });
  return html`<div class="chart"><div class="desk">${new Html(wide)}</div><div class="phone">${new Html(narrow)}</div></div>`;
}
