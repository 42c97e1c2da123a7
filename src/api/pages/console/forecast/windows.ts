import { type ForecastView, isRefused } from './view.ts';

const ROW = 18;
const LABELS = 74;

interface Options {
  readonly width: number;
  readonly id: string;
}

/** Draws the folds, the audit window and the forecast as bars over one time axis. */
export function drawWindows({ forecast, history }: ForecastView, { width, id }: Options): string {
  const { weighting, historical_validation: validation, predictions } = forecast;
  const folds = weighting?.folds ?? [];
  const at = (timestamp: string) => Date.parse(timestamp);
  const begin = isRefused(history) ? undefined : history.rows[0]?.timestamp;
  const first = Math.min(...folds.map(({ start_at }) => at(start_at)), at(begin ?? folds[0]?.start_at ?? ''));
  const last = at(predictions.at(-1)?.timestamp ?? '');
  const x = (time: number) =>
    LABELS + ((width - LABELS - 2) * (Math.max(first, time) - first)) / Math.max(1, last - first);
  const rows = [
    ...folds.map((fold, i) => ({
      label: `Fold ${i + 1}`,
      kind: 'fold',
      from: at(fold.start_at),
      to: at(fold.end_at),
      trained: at(fold.training_end_at),
    })),
    ...(validation?.validation_start_at && validation.validation_end_at
      ? [
          {
            label: 'Audit',
            kind: 'audit',
            from: at(validation.validation_start_at),
            to: at(validation.validation_end_at),
            trained: at(validation.training_end_at ?? validation.validation_start_at),
          },
        ]
      : []),
    {
      label: 'Forecast',
      kind: 'ahead',
      from: at(predictions[0]?.timestamp ?? ''),
      to: last,
      trained: at(predictions[0]?.timestamp ?? ''),
    },
  ];
  const px = (value: number) => Math.round(value * 10) / 10;
  const parts = rows.map(({ label, kind, from, to, trained }, i) => {
    const y = i * ROW;
    const start = x(from);
    return [
      `<text class="ac-soft" x="0" y="${y + 13}">${label}</text>`,
      `<rect class="window-trained" x="${LABELS}" y="${y + 8}" width="${px(Math.max(0, x(trained) - LABELS))}" height="2"/>`,
      `<rect class="window-${kind}" x="${px(start)}" y="${y + 3}" width="${px(Math.max(3, x(to) - start))}" height="12" rx="2"/>`,
    ].join('');
  });
  const height = rows.length * ROW;
  return `<svg class="almanac-chart windows" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-size="12" role="img" aria-labelledby="${id}-windows"><title id="${id}-windows">Thin lines are rows that models were trained on, bars are rows that they had to forecast: ${folds.length} folds, the audit window and the forecast, from left to right in time. The table below has the dates.</title>${parts.join('')}</svg>`;
}
