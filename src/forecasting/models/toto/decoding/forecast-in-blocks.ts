import { KNOTS } from '../checkpoint/index.ts';
import { allowedRange } from '../scaling/allowed-range.ts';
import { backfillShortPatches } from '../scaling/backfill.ts';
import { type PatchedRow, type PatchStatistics, patchStatistics } from '../scaling/patch-statistics.ts';
import { type Range, restoreKnots } from '../scaling/restore-knots.ts';
import { writeTokens } from '../scaling/write-tokens.ts';
import { blockLength, callPositions, type Progress } from './call-positions.ts';
import type { NetworkCall } from './network-call.ts';

/** What to forecast from one past. */
export interface Forecast {
  /** One row, or several that are forecast jointly where their numbers are equal; whole patches, equally long. */
  readonly rows: readonly PatchedRow[];
  readonly seriesIds: readonly number[];
  readonly horizon: number;
}

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
  readonly #options: DecodeOptions;
  readonly #horizon: number;
  readonly #steps: readonly Float64Array[][];
  #ranges: readonly (Range | undefined)[] | undefined;
  #statistics: readonly PatchStatistics[] = [];
  #progress: Progress;

  constructor(forecast: Forecast, options: DecodeOptions, patchSize: number) {
    const contextPatches = (forecast.rows[0]?.values.length ?? 0) / patchSize;
    const forecastPatches = Math.ceil(forecast.horizon / patchSize);
    const blockPatches = Math.min(options.decodeBlockSize / patchSize || forecastPatches, forecastPatches);
    this.#progress = { contextPatches, forecastPatches, blockPatches, done: 0 };
    this.#rows = forecast.rows.map((row) => withRoom(row, patchSize, forecastPatches));
    this.#isVoid = this.#rows.map((row) => voidPatches(row, patchSize, contextPatches));
    this.#steps = forecast.rows.map(() => []);
    this.#seriesIds = forecast.seriesIds;
    this.#patchSize = patchSize;
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
    this.#statistics = this.#rows.map((row) => {
      const statistics = patchStatistics(row, this.#patchSize);
      backfillShortPatches(row, statistics, this.#patchSize, scalerFallbackMinObs);
      return statistics;
    });
    // Only now is nothing but the past marked as observed.
    this.#ranges ??= this.#rows.map((row, r) => {
      const scale = this.#statistics[r]?.scale[this.#progress.contextPatches - 1] as number;
      return quantileRealCapK > 0 ? allowedRange(row, scale, quantileRealCapK) : undefined;
    });
    const positions = callPositions(this.#progress);
    return {
      tokens: this.#rows.map((row, r) =>
        writeTokens(row, this.#statistics[r] as PatchStatistics, this.#patchSize, positions.length),
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
      const { location, scale } = this.#statistics[r] as PatchStatistics;
      patches.forEach((raw, i) => {
        const patch = first + i;
        const steps = restoreKnots(raw, location[patch] as number, scale[patch] as number, this.#ranges?.[r]);
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

/** A copy with empty patches for the forecast. The last patch of the past always counts as observed. */
function withRoom(row: PatchedRow, patchSize: number, forecastPatches: number): PatchedRow {
  const length = row.values.length + forecastPatches * patchSize;
  const values = new Float64Array(length);
  const observed = new Uint8Array(length);
  values.set(row.values);
  observed.set(row.observed);
  observed.fill(1, row.values.length - patchSize, row.values.length);
  return { values, observed };
}

function voidPatches({ observed }: PatchedRow, patchSize: number, contextPatches: number): Uint8Array {
  return Uint8Array.from({ length: contextPatches }, (_, patch) =>
    observed.subarray(patch * patchSize, (patch + 1) * patchSize).includes(1) ? 0 : 1,
  );
}
