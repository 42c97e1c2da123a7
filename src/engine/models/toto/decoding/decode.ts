import { type AbortFlag, throwIfAborted } from '../../../model.ts';
import { scalingOf } from '../scaling/index.ts';
import { type DecodeOptions, type Forecast, ForecastInBlocks } from './forecast-in-blocks.ts';
import type { Network } from './network.ts';

/**
 * Positions in one run, except where a single forecast needs more. Every position is compared with every other of its
 * run, so beyond this the comparisons cost more than a further run would; and nobody can stop a run.
 */
const MAX_POSITIONS = 128;

/** Makes forecasts in few runs. For each: rows, steps, ascending quantiles. All must have equally many rows. */
export async function decode(
  network: Network,
  forecasts: readonly Forecast[],
  options: DecodeOptions,
  signal: AbortFlag | undefined,
): Promise<Float64Array[][][]> {
  const { config } = network;
  const scaling = scalingOf(config);
  const decoding = forecasts.map((forecast) => new ForecastInBlocks(forecast, options, config.patchSize, scaling));
  for (let left = decoding; left.length > 0; left = left.filter((one) => !one.isDone)) {
    for (const batch of inBatches(left)) {
      throwIfAborted(signal);
      const answers = await network.run(batch.map((one) => one.nextCall()));
      batch.forEach((one, i) => {
        one.accept(answers[i] ?? []);
      });
    }
  }
  return decoding.map((one) => one.result());
}

/** Neighbours together, as many as fit: which they are depends on the request only, and so do the last digits. */
function inBatches(forecasts: readonly ForecastInBlocks[]): ForecastInBlocks[][] {
  const batches: ForecastInBlocks[][] = [];
  let positions = 0;
  for (const forecast of forecasts) {
    positions += forecast.positions;
    const batch = batches.at(-1);
    if (batch !== undefined && positions <= MAX_POSITIONS) batch.push(forecast);
    else {
      batches.push([forecast]);
      positions = forecast.positions;
    }
  }
  return batches;
}
