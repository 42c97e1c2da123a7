import { type ChartData, rangeOf, sortTogether } from './chart-data.ts';
import { formatDate } from './format-date.ts';
import { drawText, type Frame } from './frame.ts';
import { PathWriter } from './path.ts';
import { addLine, createPlot, drawShade, toPoints } from './plot.ts';
import { createTimeScale } from './time-scale.ts';

/** The height of the overview with its labels and the space above it. */
export const OVERVIEW_HEIGHT = 66;
const LINE_HEIGHT = 34;
const LABEL_HEIGHT = 16;

/** Draws all rows of the history small. A shade marks the part that is drawn large above. */
export function drawOverview(
  frame: Frame,
  data: ChartData,
  firstShown: number,
  place: { readonly left: number; readonly right: number; readonly bottom: number },
): string {
  const { times, values, steps, median } = data;
  const all = sortTogether(times, steps);
  const time = createTimeScale(all, place.left, place.right);
  const bottom = place.bottom - LABEL_HEIGHT;
  const { low, high } = rangeOf([values, ...(median === null ? [] : [median])]);
  if (!(high >= low)) return '';
  const margin = high > low ? 0 : Math.max(1, Math.abs(low));
  const plot = createPlot(
    time,
    { low: low - margin, high: high + margin, step: 1, ticks: [] },
    bottom - LINE_HEIGHT + 2,
    bottom - 2,
  );
  const isBroken = (i: number): boolean => time.isGap(times[i - 1] ?? 0, times[i] ?? 0);
  const path = addLine(new PathWriter(), toPoints(plot, times, values), isBroken, 1_500);
  const ends = 'stroke-linejoin="round" stroke-linecap="round"';
  const from = time.x(times[firstShown] ?? 0);
  const base = new PathWriter().moveTo(place.left, bottom + 0.5).lineTo(place.right, bottom + 0.5);
  // The median begins where the history ends.
  const fanTimes = [...times.subarray(-1), ...steps];
  const fanValues = [...values.subarray(-1), ...(median ?? [])];
  const fan =
    median === null
      ? ''
      : `<path d="${addLine(new PathWriter(), toPoints(plot, fanTimes, fanValues), undefined, 300)}" stroke-width="1.4" ${ends}${frame.paint('stroke', 'median')}/>`;
  const edges = new PathWriter().moveTo(from, plot.top - 2).lineTo(from, bottom);
  return [
    drawShade(frame, { ...plot, top: plot.top - 2, bottom }, from, place.right),
    `<path d="${base}"${frame.paint('stroke', 'grid')}/><path d="${edges}"${frame.paint('stroke', 'axis')}/>`,
    `<path d="${path}" stroke-width="1" ${ends}${frame.paint('stroke', 'history')}/>${fan}`,
    drawText(frame.paint, place.left, place.bottom, formatDate(all[0] ?? 0), 'start'),
    drawText(frame.paint, place.right, place.bottom, formatDate(all.at(-1) ?? 0), 'end'),
  ].join('');
}
