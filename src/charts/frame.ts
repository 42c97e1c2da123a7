import { CHART_STYLE, type ChartColors, createPaint, type Paint } from './colors.ts';
import { px } from './path.ts';
import { cleanLine, escapeXml, estimateWidth, wrapText } from './text.ts';

export interface ChartOptions {
  /** In pixels, from 240 to 2400. Default: 720. */
  readonly width?: number | undefined;
  /** In pixels, from 200 to 1600. By default it follows from the width. */
  readonly height?: number | undefined;
  /** `variables` (default): light or dark as the reader prefers. */
  readonly colors?: ChartColors | undefined;
  /** The prefix of the ids, if a document contains several charts. Default: `chart`. */
  readonly id?: string | undefined;
  /**
   * Whether the chart is a file of its own (default): it then has its stylesheet, a background and a visible title. In a
   * page, the page has CHART_STYLE and a heading.
   */
  readonly standalone?: boolean | undefined;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly paint: Paint;
  readonly isStandalone: boolean;
  readonly title: string;
  /** The lines of the visible title. */
  readonly heading: readonly string[];
  /** The first pixel below the title. */
  readonly top: number;
}

interface LegendItem {
  readonly label: string;
  /** Draws the sign of the item in a box of 22 x 12 pixels whose middle is at `y`. */
  readonly sign: (x: number, y: number) => string;
}

export const PADDING = 14;
export const FONT_SIZE = 12;
const TITLE_SIZE = 16;
const TITLE_LINE = 21;
/** How much wider bold text is. */
const BOLD = 1.12;
const MAX_TITLE = 300;
const FONTS = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Reads the options of a chart. */
export function createFrame(title: string, options: ChartOptions): Frame {
  const width = clamp(options.width ?? 720, 240, 2_400, 720);
  const usual = Math.max(360, Math.min(560, Math.round(width * 0.36) + 150));
  const isStandalone = options.standalone ?? true;
  const clean = cleanLine(title, MAX_TITLE);
  const heading = isStandalone ? wrapText(clean, width - 2 * PADDING, TITLE_SIZE * BOLD) : [];
  return {
    width,
    height: clamp(options.height ?? usual, 200, 1_600, usual),
    paint: createPaint(options.colors ?? 'variables'),
    isStandalone,
    title: clean,
    heading,
    top: isStandalone ? PADDING + heading.length * TITLE_LINE + (heading.length > 0 ? 4 : 0) : 4,
  };
}

function clamp(value: number, min: number, max: number, usual: number): number {
  return Number.isFinite(value) ? Math.round(Math.max(min, Math.min(max, value))) : usual;
}

/** Writes the whole document around the drawn parts. */
export function writeDocument(
  frame: Frame,
  options: ChartOptions,
  description: string,
  parts: readonly string[],
): string {
  const { width, height, paint, title, isStandalone } = frame;
  const id = /^[A-Za-z][\w-]{0,63}$/.test(options.id ?? '') ? options.id : 'chart';
  const hasStyle = isStandalone && (options.colors ?? 'variables') === 'variables';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="almanac-chart" width="${width}" height="${height}"`,
    ` viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc"`,
    `${isStandalone ? ` font-family="${FONTS}"` : ''} font-size="${FONT_SIZE}">`,
    `<title id="${id}-title">${escapeXml(title)}</title><desc id="${id}-desc">${escapeXml(description)}</desc>`,
    hasStyle ? `<style>${CHART_STYLE}</style>` : '',
    isStandalone ? `<rect width="${width}" height="${height}"${paint('fill', 'back')}/>` : '',
    ...frame.heading.map(
      (line, i) =>
        `<text x="${PADDING}" y="${PADDING + TITLE_SIZE - 2 + i * TITLE_LINE}" font-size="${TITLE_SIZE}" font-weight="600"${paint('fill', 'ink')}>${escapeXml(line)}</text>`,
    ),
    ...parts,
    '</svg>\n',
  ].join('');
}

/** Draws the legend in as many rows as it needs. Returns it with the first pixel below it. */
export function drawLegend(frame: Frame, items: readonly LegendItem[]): { svg: string; bottom: number } {
  const rowHeight = 20;
  const left = frame.isStandalone ? PADDING : 2;
  let [x, y] = [left, frame.top + rowHeight / 2];
  const parts: string[] = [];
  for (const { label, sign } of items) {
    const width = 28 + estimateWidth(label, FONT_SIZE);
    if (x > left && x + width > frame.width - 4) [x, y] = [left, y + rowHeight];
    parts.push(sign(x, y), drawText(frame.paint, x + 28, y + 4, label, 'start', 'soft'));
    x += width + 16;
  }
  return { svg: parts.join(''), bottom: items.length === 0 ? frame.top : y + rowHeight / 2 };
}

export function drawText(
  paint: Paint,
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end',
  color: 'ink' | 'soft' | 'median' | 'outcome' = 'soft',
): string {
  if (text === '') return '';
  const where = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${px(x)}" y="${px(y)}"${where}${paint('fill', color)}>${escapeXml(text)}</text>`;
}

/** Draws text whose middle is at `x`, moved as far as the edges of the chart require. */
export function drawCenteredText(frame: Frame, x: number, y: number, text: string): string {
  const half = estimateWidth(text, FONT_SIZE) / 2;
  const inside = Math.max(2 + half, Math.min(frame.width - 2 - half, x));
  return drawText(frame.paint, inside, y, text, 'middle');
}
