import { cleanLine, drawTextChart } from '../../charts/index.ts';
import type { ForecastWords } from '../../wording/index.ts';
import type { Terminal } from '../command.ts';
import type { ShownForecast } from './report.ts';

/** Maximum number of steps in the table. Longer forecasts are thinned; the JSON and the CSV have every step. */
const MAX_TABLE_ROWS = 30;
const MAX_TITLE = 120;
const MAX_CHART_WIDTH = 120;
const DEFAULT_WIDTH = 80;

/** Returns a forecast for people: a fan chart, a table and the audit. */
export function formatForecast({ chart, words, audit }: ShownForecast, { stdout, env }: Terminal): string {
  const isAscii = !/utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8') || env.TERM === 'linux';
  // A terminal that does not know its width states 0.
  const width = Math.min(stdout.columns || DEFAULT_WIDTH, MAX_CHART_WIDTH);
  const title = cleanLine(chart.title, MAX_TITLE);
  const units = cleanLine(chart.units ?? '', MAX_TITLE);
  return [
    `${title}${units === '' ? '' : `, in ${units}`}\n`,
    drawTextChart(chart, { width, isAscii }),
    formatPredictions(words, isAscii),
    `${audit.join('\n')}\n`,
  ].join('\n');
}

function formatPredictions({ forecast, levels, formatValue, formatPeriod }: ForecastWords, isAscii: boolean): string {
  const stride = Math.ceil(forecast.predictions.length / MAX_TABLE_ROWS);
  const last = forecast.predictions.length - 1;
  const shown = forecast.predictions.filter((_, step) => step % stride === 0 || step === last);
  const header = [
    '',
    ...levels.keys.map((key) => (key === levels.median ? 'median' : `${Number((100 * Number(key)).toFixed(3))}%`)),
  ];
  const rows = shown.map(({ timestamp, quantiles }) => [
    formatPeriod(new Date(timestamp)),
    ...levels.keys.map((key) => formatValue(Number(quantiles[key]))),
  ]);
  const table = [header, ...rows].map((cells) =>
    cells.map((cell) => (isAscii ? cell.replaceAll('\u2212', '-') : cell)),
  );
  const widths = header.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2)))
      .join('')
      .trimEnd(),
  );
  const note = stride > 1 ? [`Every ${stride} steps and the last one; --json and --csv have all.`] : [];
  return [...lines, ...note].map((line) => `${line}\n`).join('');
}
