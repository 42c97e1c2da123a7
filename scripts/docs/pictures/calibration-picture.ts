import { horizontalAxis, legend, roundTicks, verticalAxis } from './axes.ts';
import { COLORS } from './palette.ts';
import { LEVELS, type PicturedRun } from './pictured-run.ts';
import { band, dot, line, linear, type Point, picture, rectangle, text } from './svg.ts';

const FRAME = { left: 56, right: 640, top: 66, bottom: 306 };
const MEDIAN = LEVELS.indexOf(0.5);
const DASHED = { stroke: COLORS.history, 'stroke-dasharray': '5 3' };

/** Draws the 80% interval of the audit window before and after calibration, as distances from the median. */
export function calibrationPicture({ audit, decision }: PicturedRun): string {
  const x = linear([1, audit.horizon], [FRAME.left + 12, FRAME.right - 12]);
  const { uncalibrated, calibrated } = audit;
  const median = (step: number): number => uncalibrated[step]?.[MEDIAN] as number;
  const distances = [uncalibrated, calibrated].flatMap((rows) =>
    rows.flatMap((row, step) => Array.from(row, (value) => value - median(step))),
  );
  const { ticks, range } = roundTicks(distances, 1);
  const y = linear(range, [FRAME.bottom, FRAME.top]);
  const curve = (rows: readonly Float64Array[], level: number): Point[] =>
    rows.map((row, step) => [x(step + 1), y((row[LEVELS.indexOf(level)] as number) - median(step))]);
  const { lower, upper, rows } = decision.calibration;
  const end = (level: number): number => curve(calibrated, level).at(-1)?.[1] as number;
  return picture([800, 360], 'The 80% interval of the audit window before and after calibration', [
    ...legend(
      [FRAME.left, 22],
      [
        {
          width: 130,
          name: 'as pooled',
          sample: ([at, top]) =>
            line(
              [
                [at, top],
                [at + 22, top],
              ],
              DASHED,
            ),
        },
        {
          width: 130,
          name: 'calibrated',
          sample: ([at, top]) =>
            rectangle([at, top - 6], [at + 22, top + 6], { fill: COLORS.audit, 'fill-opacity': 0.35 }),
        },
        {
          width: 140,
          name: 'what happened',
          sample: ([at, top]) => dot([at + 11, top], { r: 3, fill: COLORS.history }),
        },
      ],
    ),
    ...verticalAxis(
      FRAME,
      ticks.map((ppm) => ({ at: y(ppm), label: ppm > 0 ? `+${ppm}` : String(ppm) })),
      'ppm from the median',
    ),
    band(curve(calibrated, 0.1), curve(calibrated, 0.9), { fill: COLORS.audit, 'fill-opacity': 0.35 }),
    line(curve(calibrated, 0.5), { stroke: COLORS.audit, 'stroke-width': 2 }),
    line(curve(uncalibrated, 0.1), DASHED),
    line(curve(uncalibrated, 0.9), DASHED),
    ...audit.outcomes.map(({ step, actual }) =>
      dot([x(step + 1), y(actual - median(step))], { r: 3, fill: COLORS.history }),
    ),
    text([FRAME.right + 8, end(0.9) + 4], `above: times ${upper.toFixed(2)}`),
    text([FRAME.right + 8, y(0) + 4], `(from ${rows} past rows)`, { fill: '#666' }),
    text([FRAME.right + 8, end(0.1) + 4], `below: times ${lower.toFixed(2)}`),
    ...horizontalAxis(
      FRAME,
      Array.from({ length: audit.horizon }, (_, step) => step + 1)
        .filter((step) => step === 1 || step % 6 === 0)
        .map((step) => ({ at: x(step), label: String(step) })),
      'months after the last row of the fit',
    ),
  ]);
}
