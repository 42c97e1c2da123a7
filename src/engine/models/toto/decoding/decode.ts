import { type AbortFlag, throwIfAborted } from '../../../model.ts';
import { KNOT_COUNT } from '../checkpoint/read-config.ts';
import type { PatchedRow, ValueRange } from '../scaling/patched-row.ts';
import { chooseScaling, type RowReading, type Scaling } from '../scaling/scaling.ts';
import type { Network } from './network.ts';
import { type BlockProgress, blockLength, callPositions, type NetworkCall } from './network-call.ts';

/**
 * The largest number of positions in one run, unless a single forecast needs more. Every position of a run is compared
 * with every other, so with more positions the comparisons would cost more than another run. Also, a run cannot be
 * stopped.
 */
const MAX_POSITIONS = 128;

/**
 * Computes several forecasts in few runs. Returns, for each forecast, row and step, the ascending knots. All inputs
 * must have the same number of rows.
 */
export async function decode(
  network: Network,
  forecasts: readonly DecodeInput[],
  options: DecodeOptions,
  signal: AbortFlag | undefined,
): Promise<Float64Array[][][]> {
  const { config } = network;
  const scaling = chooseScaling(config);
  const decoding = forecasts.map((forecast) => new BlockForecast(forecast, options, config.patchSize, scaling));
  for (let pending = decoding; pending.length > 0; pending = pending.filter((forecast) => !forecast.isDone)) {
    for (const batch of inBatches(pending)) {
      throwIfAborted(signal);
      const outputs = await network.run(batch.map((forecast) => forecast.nextCall()));
      batch.forEach((forecast, i) => {
        forecast.accept(outputs[i] ?? []);
      });
    }
  }
  return decoding.map((forecast) => forecast.result());
}

/**
 * Groups adjacent forecasts, as many as fit into a run. The groups, and therefore the last digits, depend only on the
 * request.
 */
function inBatches(forecasts: readonly BlockForecast[]): BlockForecast[][] {
  const batches: BlockForecast[][] = [];
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

/** The past that one forecast starts from, and its horizon. */
export interface DecodeInput {
  /** One or more rows of the same length, in whole patches. Rows with equal ids are forecast jointly. */
  readonly rows: readonly PatchedRow[];
  readonly seriesIds: readonly number[];
  readonly horizon: number;
}

/**
 * Options of the reference implementation. The second and the third have no effect on networks with anchored output.
 */
export interface DecodeOptions {
  /** Number of periods that are forecast in one call, in whole patches; 0 for all periods. */
  readonly decodeBlockSize: number;
  /**
   * A patch that ends before this many observations uses the statistics of the first observations. With 0, every patch
   * uses its own.
   */
  readonly scalerFallbackMinObs: number;
  /** How far a forecast may lie outside the observed range, in multiples of the scale; 0 for no limit. */
  readonly quantileRealCapK: number;
}

const MEDIAN = (KNOT_COUNT - 1) / 2;

/**
 * One forecast, decoded block by block: `nextCall` prepares the input of a block, and `accept` takes the network's
 * output for it.
 */
class BlockForecast {
  readonly #rows: readonly PatchedRow[];
  readonly #seriesIds: readonly number[];
  readonly #isEmptyPatch: readonly Uint8Array[];
  readonly #patchSize: number;
  readonly #scaling: Scaling;
  readonly #options: DecodeOptions;
  readonly #horizon: number;
  readonly #steps: readonly Float64Array[][];
  #ranges: readonly (ValueRange | undefined)[] | undefined;
  #readings: readonly RowReading[] = [];
  #progress: BlockProgress;

  constructor(forecast: DecodeInput, options: DecodeOptions, patchSize: number, scaling: Scaling) {
    const contextPatches = (forecast.rows[0]?.values.length ?? 0) / patchSize;
    const forecastPatches = Math.ceil(forecast.horizon / patchSize);
    const blockPatches = Math.min(options.decodeBlockSize / patchSize || forecastPatches, forecastPatches);
    this.#progress = { contextPatches, forecastPatches, blockPatches, done: 0 };
    this.#rows = forecast.rows.map((row) => extendRow(row, patchSize * forecastPatches));
    this.#isEmptyPatch = this.#rows.map(({ observed }) => {
      const past = observed.subarray(0, contextPatches * patchSize);
      scaling.markObserved(past, patchSize);
      return scaling.findEmptyPatches(past, patchSize);
    });
    this.#steps = forecast.rows.map(() => []);
    this.#seriesIds = forecast.seriesIds;
    this.#patchSize = patchSize;
    this.#scaling = scaling;
    this.#options = options;
    this.#horizon = forecast.horizon;
  }

  get isDone(): boolean {
    return this.#progress.done >= this.#progress.forecastPatches;
  }

  /** Number of positions in the next call. */
  get positions(): number {
    const { contextPatches, done } = this.#progress;
    return contextPatches + done + this.#kept - 1;
  }

  nextCall(): NetworkCall {
    const { scalerFallbackMinObs, quantileRealCapK } = this.#options;
    this.#readings = this.#rows.map((row) => this.#scaling.read(row, this.#patchSize, scalerFallbackMinObs));
    // Computed before the first output is accepted, because until then only the past is marked as observed.
    const last = this.#progress.contextPatches - 1;
    this.#ranges ??= this.#rows.map((row, r) =>
      this.#scaling.allowedRange(row, this.#readings[r] as RowReading, last, quantileRealCapK),
    );
    const positions = callPositions(this.#progress);
    return {
      tokens: this.#rows.map((row, r) =>
        this.#scaling.writeTokens(row, this.#readings[r] as RowReading, this.#patchSize, positions.length),
      ),
      positions,
      kept: this.#kept,
      isEmptyPatch: this.#isEmptyPatch,
      seriesIds: this.#seriesIds,
    };
  }

  /** Takes the network's output for the last call: the numbers of each row and patch of the block. */
  accept(output: readonly (readonly Float32Array[])[]): void {
    const first = this.#progress.contextPatches + this.#progress.done;
    output.forEach((patches, r) => {
      const row = this.#rows[r] as PatchedRow;
      const reading = this.#readings[r] as RowReading;
      patches.forEach((raw, i) => {
        const patch = first + i;
        const steps = this.#scaling.restore(raw, reading, patch, this.#ranges?.[r]);
        this.#steps[r]?.push(...steps);
        // The next block reads the medians of this one as if they had been observed.
        const medians = steps.map((step) => step[MEDIAN] as number);
        row.values.set(medians, patch * this.#patchSize);
        row.observed.fill(1, patch * this.#patchSize, (patch + 1) * this.#patchSize);
      });
    });
    this.#progress = { ...this.#progress, done: this.#progress.done + this.#kept };
  }

  /** Returns the ascending knots of each row and step. */
  result(): Float64Array[][] {
    return this.#steps.map((steps) => steps.slice(0, this.#horizon));
  }

  get #kept(): number {
    return blockLength(this.#progress, this.#progress.done / this.#progress.blockPatches);
  }
}

/** Returns a copy with space for the forecast. */
function extendRow(row: PatchedRow, periods: number): PatchedRow {
  const length = row.values.length + periods;
  const values = new Float64Array(length);
  const observed = new Uint8Array(length);
  values.set(row.values);
  observed.set(row.observed);
  return { values, observed };
}
