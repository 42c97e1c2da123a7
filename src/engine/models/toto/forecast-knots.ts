import type { AbortFlag } from '../../model.ts';
import { type DecodeInput, type DecodeOptions, decode } from './decoding/decode.ts';
import type { Network } from './decoding/network.ts';
import { requireFiniteSteps } from './forecast-windows.ts';

/**
 * Input in the format of the reference implementation's `forecast`: sets of series, all of the same length, in whole
 * patches.
 */
export interface TotoInput extends DecodeOptions {
  /** The values of each set and series. */
  readonly target: readonly (readonly ArrayLike<number>[])[];
  /** True or 1 where a value was observed. */
  readonly mask: readonly (readonly ArrayLike<number | boolean>[])[];
  /** Series of a set with the same id are forecast jointly. */
  readonly seriesIds: readonly (readonly number[])[];
  readonly horizon: number;
}

/** Returns the nine knots of each set, series and step. */
export async function forecastKnots(
  network: Network,
  request: TotoInput,
  signal: AbortFlag | undefined,
): Promise<Float64Array[][][]> {
  checkShapes(request, network.config.patchSize);
  const forecasts = request.target.map(
    (series, set): DecodeInput => ({
      rows: series.map((values, i) => ({
        values: Float64Array.from(values),
        observed: Uint8Array.from(request.mask[set]?.[i] ?? [], Number),
      })),
      seriesIds: request.seriesIds[set] ?? [],
      horizon: request.horizon,
    }),
  );
  const knots = await decode(network, forecasts, request, signal);
  for (const steps of knots.flat()) requireFiniteSteps(steps);
  return knots;
}

function checkShapes({ target, mask, seriesIds, horizon, decodeBlockSize }: TotoInput, patchSize: number): void {
  const first = target[0]?.[0]?.length ?? 0;
  const variates = target[0]?.length ?? 0;
  if (first === 0 || first % patchSize !== 0) throw new RangeError(`A target must have whole patches of ${patchSize}.`);
  const fits = target.every(
    (series, set) =>
      series.length === variates &&
      seriesIds[set]?.length === variates &&
      series.every((values, i) => values.length === first && mask[set]?.[i]?.length === first),
  );
  if (!fits) throw new RangeError('Targets, masks and ids must have the same shape in every set.');
  if (!(Number.isInteger(horizon) && horizon >= 1)) throw new RangeError('A horizon has at least one step.');
  if (!(decodeBlockSize >= 0 && decodeBlockSize % patchSize === 0)) {
    throw new RangeError(`A block must have whole patches of ${patchSize}.`);
  }
}
