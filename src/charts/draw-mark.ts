import { axisFormat } from './format-number.ts';
import { drawText, type Frame } from './frame.ts';
import { PathWriter, px } from './path.ts';
import { crisp, type Plot } from './plot.ts';
import type { ValueAxis } from './value-axis.ts';

/** A value of one step of a forecast that is asked about. */
export interface ChartMark {
  readonly timestamp: number;
  readonly value: number;
  /** Other values of the step, such as those of questions that were asked before. */
  readonly others?: readonly number[] | undefined;
  /** The timestamps of all steps, between which a script can choose. */
  readonly steps?: readonly number[] | undefined;
}

/**
 * Draws a line through a step, and one at a value, which a script of the page can move: the group with `data-threshold`
 * has its value at the height 0, and the attributes of the group around it state which heights two values have, and where
 * each step is.
 */
export function drawMark(
  frame: Frame,
  plot: Plot,
  axis: ValueAxis,
  { timestamp, value, others = [], steps = [] }: ChartMark,
): string {
  const { paint } = frame;
  const { left, right } = plot.time;
  const x = plot.time.x(timestamp);
  const step = new PathWriter().moveTo(crisp(x), plot.top).lineTo(crisp(x), plot.bottom);
  const lines = new PathWriter();
  for (const other of others) {
    if (isInside(axis, other)) lines.moveTo(x - 14, crisp(plot.y(other))).lineTo(x + 14, crisp(plot.y(other)));
  }
  const at = Math.max(axis.low, Math.min(axis.high, value));
  const line = new PathWriter().moveTo(left, 0).lineTo(right, 0);
  const format = axisFormat(axis.step / 10, Math.max(Math.abs(axis.low), Math.abs(axis.high)));
  return [
    `<g class="ac-mark" data-low="${exact(axis.low)}" data-high="${exact(axis.high)}" data-low-y="${px(plot.y(axis.low))}" data-high-y="${px(plot.y(axis.high))}" data-steps="${steps.map((one) => px(plot.time.x(one))).join(' ')}">`,
    `<path d="${step}" stroke-dasharray="3 3" stroke-width="1.5"${paint('stroke', 'outcome')}/>`,
    others.length === 0 ? '' : `<path d="${lines}" stroke-width="2"${paint('stroke', 'ink')}/>`,
    `<g data-threshold="" transform="translate(0 ${px(plot.y(at))})">`,
    `<path d="${line}" stroke-width="28" stroke-opacity="0"${paint('stroke', 'outcome')}/>`,
    `<path d="${line}" stroke-width="2"${paint('stroke', 'outcome')}/>`,
    `<circle cx="${px(x)}" cy="0" r="7"${paint('fill', 'outcome')}/>`,
    drawText(paint, left + 6, -6, format(value), 'start', 'outcome'),
    '</g></g>',
  ].join('');
}

/** Drops the noise of binary fractions. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

function isInside({ low, high }: ValueAxis, value: number): boolean {
  return value >= low && value <= high;
}
