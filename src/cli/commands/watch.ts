import type { LocalCommand } from '../command.ts';
import { SERVICE_OPTIONS } from '../connect.ts';
import { CommandFailure, EXIT_CODES } from '../exit-codes.ts';
import { showStored } from '../forecast/forecast-there.ts';
import { checkOutput, OUTPUT_OPTIONS, outputForecast } from '../forecast/output-forecast.ts';
import { formatBar } from '../progress.ts';
import { runSeriesCommand } from '../series/run-series-command.ts';

export const watchCommands: LocalCommand[] = [
  {
    name: 'watch',
    arguments: [{ name: 'ID' }],
    options: { ...OUTPUT_OPTIONS, ...SERVICE_OPTIONS },
    summary:
      'Follows a forecast of a service until it ends, and prints it as "forecast" does. Ctrl-C leaves it running.',
    example: 'watch ef_01M7FW04PRKDAEW200WP556JY5',
    async run(config, [id = ''], values, terminal) {
      await checkOutput(values);
      const command = { config, values, terminal };
      return runSeriesCommand({ name: 'watch', subject: id }, command, async ({ progress, requireService }) => {
        const { almanac } = await requireService();
        const { signal } = progress;
        for await (const { data } of almanac.forecasts.watch({ forecast_id: id }, { signal })) {
          const { completed_models: done = 0, total_models: total = 0, current_model: model } = data.progress ?? {};
          if (total > 0) progress.show(`${formatBar(done, total)} models${model ? `, ${model}` : ''}`, done === total);
        }
        const forecast = await almanac.forecasts.read({ forecast_id: id }, { signal });
        if (forecast.status !== 'completed') {
          const { code = forecast.status, message = '' } = forecast.error ?? {};
          throw new CommandFailure(EXIT_CODES.failed, `${id} has not completed (${code}). ${message}`.trim());
        }
        return outputForecast(await showStored(almanac, forecast, signal), values, terminal);
      });
    },
  },
];
