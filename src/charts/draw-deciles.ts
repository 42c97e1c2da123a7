import { formatPercent } from './format-number.ts';
import { type ChartOptions, createFrame, drawText, FONT_SIZE, PADDING, writeDocument } from './frame.ts';
import { PathWriter, px } from './path.ts';
import { crisp } from './plot.ts';
import { estimateWidth } from './text.ts';

/** The share of rows in each tenth of the predicted distribution, lowest first. */
export interface DecileChart {
  readonly title: string;
  readonly shares: readonly number[];
}

const SIZE = { width: 360, height: 350 };
const GAP = 4;

/** Draws how many rows lay in each tenth of the predicted distribution. A line marks the share of an exact forecast. */
export function drawDeciles(chart: DecileChart, options: ChartOptions = {}): string {
  const frame = createFrame(chart.title, { ...SIZE, ...options });
  const { paint } = frame;
  const shares = chart.shares.map((share) => (Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : 0));
  if (shares.length === 0) {
    const empty = drawText(paint, frame.width / 2, frame.height / 2, 'No rows', 'middle');
    return writeDocument(frame, options, describeDeciles([]), [empty]);
  }
  const ideal = 1 / shares.length;
  const step = [0.05, 0.1, 0.2, 0.25].find((one) => one * 6 >= Math.max(...shares, ideal * 1.5)) ?? 0.25;
  const high = Math.ceil(Math.max(...shares, ideal * 1.5) / step - 1e-9) * step;
  const inset = frame.isStandalone ? PADDING : 2;
  const [left, right] = [estimateWidth('100%', FONT_SIZE) + 10 + inset, frame.width - 12];
  const [top, bottom] = [frame.top + 22, frame.height - 42 - (frame.isStandalone ? 4 : 0)];
  const y = (share: number): number => bottom - ((bottom - top) * share) / high;
  const width = (right - left) / shares.length;
  const grid = new PathWriter();
  const parts: string[] = [];
  for (let tick = 0; tick <= Math.round(high / step); tick++) {
    const at = crisp(y(tick * step));
    grid.moveTo(left, at).lineTo(right, at);
    parts.push(drawText(paint, left - 8, at + 4, formatPercent(tick * step), 'end'));
  }
  parts.unshift(`<path d="${grid}"${paint('stroke', 'grid')}/>`);
  for (const [i, share] of shares.entries()) {
    const [x, tall] = [left + i * width + GAP / 2, bottom - y(share)];
    const size = `x="${px(x)}" y="${px(y(share))}" width="${px(width - GAP)}" height="${px(tall)}"`;
    parts.push(
      `<g class="ac-point" data-point="${i}"><rect ${size} rx="2"${paint('fill', 'fan')}/></g>`,
      drawText(paint, x + (width - GAP) / 2, bottom + 18, ordinal(i, shares.length), 'middle'),
    );
  }
  const line = new PathWriter().moveTo(left, crisp(y(ideal))).lineTo(right, crisp(y(ideal)));
  const axis = new PathWriter().moveTo(left, bottom).lineTo(right, bottom);
  parts.push(
    `<path d="${axis}"${paint('stroke', 'axis')}/>`,
    `<path d="${line}" stroke-width="2" stroke-dasharray="5 4"${paint('stroke', 'outcome')}/>`,
    drawText(paint, inset, top - 10, 'Rows in each tenth', 'start'),
    drawText(paint, right, top - 10, `dashed: ${formatPercent(ideal)} expected`, 'end', 'outcome'),
    drawText(paint, right, bottom + 36, 'Tenth of the predicted distribution, lowest first', 'end'),
  );
  return writeDocument(frame, options, describeDeciles(shares), parts);
}

/** Labels the first, the last and every second tenth. */
function ordinal(i: number, count: number): string {
  return i % 2 === 0 || i === count - 1 ? String(i + 1) : '';
}

/** Returns what the chart shows, as a sentence. */
export function describeDeciles(shares: readonly number[]): string {
  if (shares.length === 0) return 'There are no rows.';
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  const [first = 0, last = 0] = [shares[0], shares.at(-1)];
  const [min, max] = [Math.min(...shares), Math.max(...shares)];
  return `Each tenth of the predicted distribution should hold ${percent(1 / shares.length)} of the rows; they hold between ${percent(min)} and ${percent(max)}. The lowest tenth held ${percent(first)} and the highest ${percent(last)}.`;
}
