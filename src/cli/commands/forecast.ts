import type { LocalCommand } from '../command.ts';
import { SERVICE_OPTIONS } from '../connect.ts';
import { REQUEST_OPTIONS, readRequestOptions } from '../forecast/forecast-options.ts';
import { makeForecast } from '../forecast/make-forecast.ts';
import { checkOutput, OUTPUT_OPTIONS, outputForecast } from '../forecast/output-forecast.ts';
import { FILE_OPTIONS } from '../series/read-rows.ts';
import { readTarget } from '../series/read-target.ts';
import { runSeriesCommand } from '../series/run-series-command.ts';
import { readChoices, SERIES_ARGUMENT, SERIES_OPTIONS } from '../series/series-options.ts';

export const forecastCommands: LocalCommand[] = [
  {
    name: 'forecast',
    arguments: [SERIES_ARGUMENT],
    options: { ...REQUEST_OPTIONS, ...FILE_OPTIONS, ...SERIES_OPTIONS, ...OUTPUT_OPTIONS, ...SERVICE_OPTIONS },
    summary: [
      'Forecasts a CSV file, standard input (-) or a bundled series in this process, without a database;',
      'other series, and everything with --server, through a service.',
      'Prints a fan chart, a table and the audit on a terminal, and otherwise one JSON object.',
    ].join(' '),
    example: 'forecast sales.csv --horizon 12',
    async run(config, [word = ''], values, terminal) {
      const given = readRequestOptions(values);
      const choices = readChoices(values);
      await checkOutput(values);
      const command = { config, values, terminal };
      return runSeriesCommand({ name: 'forecast', subject: word }, command, async (series) => {
        const made = await makeForecast(await readTarget(word, choices), given, series);
        return outputForecast(made, values, terminal);
      });
    },
  },
];
