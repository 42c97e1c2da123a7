import { JSON_OPTION, type LocalCommand, UsageError } from '../command.ts';
import { SERVICE_OPTIONS } from '../connect.ts';
import { readWholeNumber } from '../forecast/forecast-options.ts';
import { type History, readHistory } from '../series/read-history.ts';
import { FILE_OPTIONS } from '../series/read-rows.ts';
import { readTarget } from '../series/read-target.ts';
import { runSeriesCommand } from '../series/run-series-command.ts';
import { readChoices, SERIES_ARGUMENT, SERIES_OPTIONS } from '../series/series-options.ts';
import { formatTable } from '../series/show-series.ts';

const SHOWN_ROWS = 12;

export const historyCommands: LocalCommand[] = [
  {
    name: 'history',
    arguments: [SERIES_ARGUMENT],
    options: {
      rows: { type: 'string', value: 'NUMBER', format: 'number', default: 'all', help: 'the number of latest rows' },
      ...FILE_OPTIONS,
      ...SERIES_OPTIONS,
      ...JSON_OPTION,
      csv: { type: 'boolean', help: 'print the rows as CSV' },
      ...SERVICE_OPTIONS,
    },
    summary:
      'Prints the rows of a series or of a CSV file: a chart and the last rows on a terminal, and otherwise JSON.',
    example: 'history bundled:mauna-loa-co2 --rows 24 --csv',
    async run(config, [word = ''], values, terminal) {
      if (values.json === true && values.csv === true)
        throw new UsageError('--json and --csv exclude each other. Choose one.');
      const limit = readWholeNumber('rows', values.rows, 1, 50_000);
      const choices = readChoices(values);
      return runSeriesCommand({ name: 'history', subject: word }, { config, values, terminal }, async (command) => {
        const history = await readHistory(await readTarget(word, choices), limit, command);
        if (values.csv === true) return formatCsv(history);
        if (values.json === true || terminal.stdout.isTTY !== true) return toJson(history);
        return showHistory(history, terminal.stdout.columns || 80);
      });
    },
  },
];

function rowsOf({ timestamps, values }: History): { timestamp: string; value: number | null }[] {
  return Array.from(timestamps, (time, row) => {
    const value = values[row] ?? Number.NaN;
    return { timestamp: new Date(time).toISOString(), value: Number.isFinite(value) ? value : null };
  });
}

function toJson(history: History): object {
  const { title, units, frequency, facts } = history;
  const rows = rowsOf(history);
  return { title, units, frequency, ...facts, count: rows.length, rows };
}

function formatCsv(history: History): string {
  const lines = rowsOf(history).map(({ timestamp, value }) => `${timestamp},${value ?? ''}\r\n`);
  return `timestamp,value\r\n${lines.join('')}`;
}

async function showHistory(history: History, width: number): Promise<string> {
  const { cleanLine, drawTextChart, seriesFormat } = await import('../../charts/index.ts');
  const { title, units, timestamps, values } = history;
  const format = seriesFormat(values);
  const last = rowsOf(history).slice(-SHOWN_ROWS);
  const chart = { title, history: { timestamps, values }, predictions: [], outcome: [] };
  return [
    `${cleanLine(title, 120)}${units === '' ? '' : `, in ${cleanLine(units, 60)}`}\n`,
    drawTextChart(chart, { width: Math.min(width, 120) }),
    formatTable(
      last.map(({ timestamp, value }) => [timestamp.replace('T00:00:00.000Z', ''), format(value ?? Number.NaN)]),
      (column) => column === 1,
    ),
  ].join('\n');
}
