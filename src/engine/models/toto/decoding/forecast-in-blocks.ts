import { KNOTS } from '../checkpoint/index.ts';
import type { Reading, Scaling } from '../scaling/index.ts';
import type { PatchedRow } from '../scaling/patch-statistics.ts';
import type { Range } from '../scaling/restore-knots.ts';
import { blockLength, callPositions, type Progress } from './call-positions.ts';
import type { NetworkCall } from './network-call.ts';

/** What to forecast from one past. */
export interface Forecast {
  /** One row, or several that are forecast jointly where their numbers are equal; whole patches, equally long. */
  readonly rows: readonly PatchedRow[];
  readonly seriesIds: readonly number[];
  readonly horizon: number;
}

/** Those of the scaler and the range are without effect on networks with anchored output, which need neither. */
export interface DecodeOptions {
  /** Periods forecast in one call, whole patches; 0: all of them. */
  readonly decodeBlockSize: number;
  /** Patches that end before so many observations are scaled with the first so many; 0: as they are. */
  readonly scalerFallbackMinObs: number;
  /** How many scales a forecast may lie outside the observed range; 0: any number. */
  readonly quantileRealCapK: number;
}

const MEDIAN = (KNOTS - 1) / 2;

/** One forecast on its way: asks the network about a block, reads its answer, asks about the next. */
export class ForecastInBlocks {
  readonly #rows: readonly PatchedRow[];
  readonly #seriesIds: readonly number[];
  readonly #isVoid: readonly Uint8Array[];
  readonly #patchSize: number;
  readonly #scaling: Scaling;
  readonly #options: DecodeOptions;
  readonly #horizon: number;
  readonly #steps: readonly Float64Array[][];
  #ranges: readonly (Range | undefined)[] | undefined;
  #readings: readonly Reading[] = [];
  #progress: Progress;

  constructor(forecast: Forecast, options: DecodeOptions, patchSize: number, scaling: Scaling) {
    const contextPatches = (forecast.rows[0]?.values.length ?? 0) / patchSize;
    const forecastPatches = Math.ceil(forecast.horizon / patchSize);
    const blockPatches = Math.min(options.decodeBlockSize / patchSize || forecastPatches, forecastPatches);
    this.#progress = { contextPatches, forecastPatches, blockPatches, done: 0 };
    this.#rows = forecast.rows.map((row) => withRoom(row, patchSize * forecastPatches));
    this.#isVoid = this.#rows.map(({ observed }) => {
      const past = observed.subarray(0, contextPatches * patchSize);
      scaling.markObserved(past, patchSize);
      return scaling.voidPatches(past, patchSize);
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

  /** How many positions the next call has. */
  get positions(): number {
    const { contextPatches, done } = this.#progress;
    return contextPatches + done + this.#kept - 1;
  }

  nextCall(): NetworkCall {
    const { scalerFallbackMinObs, quantileRealCapK } = this.#options;
    this.#readings = this.#rows.map((row) => this.#scaling.read(row, this.#patchSize, scalerFallbackMinObs));
    // Only now is nothing but the past marked as observed.
    const last = this.#progress.contextPatches - 1;
    this.#ranges ??= this.#rows.map((row, r) =>
      this.#scaling.allowedRange(row, this.#readings[r] as Reading, last, quantileRealCapK),
    );
    const positions = callPositions(this.#progress);
    return {
      tokens: this.#rows.map((row, r) =>
        this.#scaling.writeTokens(row, this.#readings[r] as Reading, this.#patchSize, positions.length),
      ),
      positions,
      kept: this.#kept,
      isVoid: this.#isVoid,
      seriesIds: this.#seriesIds,
    };
  }

  /** Takes the network's answer to the last call: for each row and patch of the block its numbers. */
  accept(answer: readonly (readonly Float32Array[])[]): void {
    const first = this.#progress.contextPatches + this.#progress.done;
    answer.forEach((patches, r) => {
      const row = this.#rows[r] as PatchedRow;
      const reading = this.#readings[r] as Reading;
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

  /** For each row and step `KNOTS` ascending quantiles. */
  result(): Float64Array[][] {
    return this.#steps.map((steps) => steps.slice(0, this.#horizon));
  }

  get #kept(): number {
    return blockLength(this.#progress, this.#progress.done / this.#progress.blockPatches);
  }
}

/** A copy with room for the forecast. */
function withRoom(row: PatchedRow, periods: number): PatchedRow {
  const length = row.values.length + periods;
  const values = new Float64Array(length);
  const observed = new Uint8Array(length);
  values.set(row.values);
  observed.set(row.observed);
  return { values, observed };
}
