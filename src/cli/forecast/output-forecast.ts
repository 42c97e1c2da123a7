import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CommandOptions, type CommandValues, JSON_OPTION, type Terminal, UsageError } from '../command.ts';
import { outputUnwritable } from '../failures.ts';
import { type MadeForecast, reportForecast } from './report.ts';
import { formatForecast } from './show-forecast.ts';

export const OUTPUT_OPTIONS = {
  ...JSON_OPTION,
  csv: { type: 'boolean', help: 'print the predictions as CSV' },
  svg: { type: 'string', value: 'FILE', format: 'path', help: 'also write the chart to this file' },
} as const satisfies CommandOptions;

/** Checks the options for the output before any work is done. */
export async function checkOutput({ json, csv, svg }: CommandValues): Promise<void> {
  if (json === true && csv === true) throw new UsageError('--json and --csv exclude each other. Choose one.');
  if (svg === undefined) return;
  const path = String(svg);
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw outputUnwritable('--svg', path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  if ((await stat(path).catch(() => null))?.isDirectory()) throw outputUnwritable('--svg', path, 'it is a directory');
}

/** Returns a forecast as the options and the terminal ask for it, and writes its chart if an option names a file. */
export async function outputForecast(
  made: MadeForecast,
  { json, csv, svg }: CommandValues,
  terminal: Terminal,
): Promise<object | string> {
  const shown = reportForecast(made);
  if (svg !== undefined) {
    const { drawForecastChart } = await import('../../charts/index.ts');
    await writeChart(String(svg), drawForecastChart(shown.chart));
  }
  if (csv === true) return (await import('../../forecasts/index.ts')).formatPredictionsCsv(made.forecast);
  return json === true || terminal.stdout.isTTY !== true ? shown.json : formatForecast(shown, terminal);
}

async function writeChart(path: string, chart: string): Promise<void> {
  try {
    await writeFile(path, chart);
  } catch (error) {
    throw outputUnwritable('--svg', path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}
