// The steps around the network, written from its description, block by block as in the original.

import type { ReferenceNetwork } from './reference-network.ts';

export interface ReferenceRequest {
  /** By series. */
  readonly target: readonly (readonly number[])[];
  readonly mask: readonly (readonly number[])[];
  readonly seriesIds: readonly number[];
  readonly horizon: number;
  readonly decodeBlockSize: number;
  readonly scalerFallbackMinObs: number;
  readonly quantileRealCapK: number;
}

/** The switches of a configuration. */
export interface ReferenceSwitches {
  readonly extra: boolean;
  readonly anchored: boolean;
}

/** By position: the statistics at the end of its patch. */
interface Scaled {
  readonly location: number[];
  readonly scale: number[];
  readonly count: number[];
  readonly last: number[];
  readonly step: number[];
}

/** Returns nine ascending quantiles by series and step. */
export function referenceForecast(
  network: ReferenceNetwork,
  request: ReferenceRequest,
  p: number,
  { extra, anchored }: ReferenceSwitches,
): number[][][] {
  network.forget();
  const length = request.target[0]?.length ?? 0;
  const context = length / p;
  const patches = Math.ceil(request.horizon / p);
  const blockSize = request.decodeBlockSize > 0 ? Math.min(request.decodeBlockSize / p, patches) : patches;
  const values = request.target.map((row) => [...row, ...Array<number>(patches * p).fill(0)]);
  const masks = request.mask.map((row) => [
    ...(anchored ? row : [...row.slice(0, length - p), ...Array<number>(p).fill(1)]),
    ...Array<number>(patches * p).fill(0),
  ]);
  const groups = masks.map((mask, n) =>
    Array.from({ length: Math.max(context + patches, 2 * blockSize) }, (_, patch) => {
      const isEmpty = patch < context && sum(mask.slice(patch * p, (patch + 1) * p)) === 0;
      const isAtTheEnd = sum(mask.slice(patch * p)) === 0;
      return isEmpty && !(anchored && isAtTheEnd) ? -1 : (request.seriesIds[n] as number);
    }),
  );
  const forecast: number[][][] = values.map(() => []);
  let caps: { low: number; high: number }[] | undefined;

  for (let done = 0; done < patches; done += blockSize) {
    const block = Math.min(blockSize, patches - done);
    const scaled = values.map((row, n) =>
      scaler(row, masks[n] as number[], p, anchored ? 0 : request.scalerFallbackMinObs),
    );
    caps ??= values.map((row, n) => {
      const observedValues = row.slice(0, length).filter((_, i) => masks[n]?.[i] === 1);
      const limit = request.quantileRealCapK * (scaled[n]?.scale[length - 1] as number);
      return { low: Math.min(...observedValues) - limit, high: Math.max(...observedValues) + limit };
    });
    const first = done === 0 ? 0 : context + done - blockSize;
    const times = Array.from({ length: context + done + block - first }, (_, i) => first + i);
    const tokens = values.map((row, n) =>
      times.map((patch) => [
        ...token(row, masks[n] as number[], scaled[n] as Scaled, patch, p),
        ...(extra ? extraStatistics(scaled[n] as Scaled, patch * p) : []),
      ]),
    );
    const outputs = network.run({
      tokens,
      times,
      groups: groups.map((row) => row.slice(0, times.length)),
      passing: block,
    });
    outputs.forEach((positions, n) => {
      positions.slice(-(block + 1), -1).forEach((raw, i) => {
        for (let t = 0; t < p; t++) {
          const at = (context + done + i) * p + t;
          const cap = caps?.[n];
          const step = raw.slice(t * 9, t * 9 + 9).map((o) => {
            if (anchored) return fromAnchor(o, scaled[n] as Scaled, at);
            const value = Math.sinh(o) * (scaled[n]?.scale[at] as number) + (scaled[n]?.location[at] as number);
            return request.quantileRealCapK > 0 && cap ? Math.min(Math.max(value, cap.low), cap.high) : value;
          });
          step.sort((a, b) => a - b);
          forecast[n]?.push(step);
          if (done + block < patches) {
            (values[n] as number[])[at] = step[4] as number;
            (masks[n] as number[])[at] = 1;
          }
        }
      });
    });
  }
  return forecast.map((steps) => steps.slice(0, request.horizon));
}

function token(
  row: readonly number[],
  mask: readonly number[],
  { location, scale }: Scaled,
  patch: number,
  p: number,
): number[] {
  const at = Array.from({ length: p }, (_, i) => patch * p + i);
  const z = at.map((i) =>
    mask[i] === 1 ? Math.asinh(((row[i] as number) - (location[i] as number)) / (scale[i] as number)) : 0,
  );
  return [...z, ...at.map((i) => 1 - (mask[i] as number))];
}

function floored(of: Scaled, at: number): { spread: number; step: number } {
  const floor = 1e-6 * (Math.abs(of.location[at] as number) + Math.abs(of.last[at] as number)) + 1e-8;
  return { spread: Math.max(of.scale[at] as number, floor), step: Math.max(of.step[at] as number, floor) };
}

function extraStatistics(of: Scaled, at: number): number[] {
  const { spread, step } = floored(of, at);
  return [
    Math.asinh(((of.last[at] as number) - (of.location[at] as number)) / spread),
    Math.log(spread / step),
    Math.log((of.count[at] as number) + 1) / 4,
  ].map((x) => Math.min(Math.max(x, -8), 8));
}

function fromAnchor(o: number, of: Scaled, at: number): number {
  const { spread, step } = floored(of, at);
  return Math.sinh(Math.min(Math.max(o, -14), 14)) * Math.sqrt(spread * step) + (of.last[at] as number);
}

function scaler(row: readonly number[], mask: readonly number[], p: number, minObserved: number): Scaled {
  const scaled: Scaled = { location: [], scale: [], count: [], last: [], step: [] };
  const observed = row.map((_, i) => i).filter((i) => mask[i] === 1);
  for (let patch = 0; patch < row.length / p; patch++) {
    const before = observed.filter((i) => i < (patch + 1) * p);
    const used = before.length < minObserved ? observed.slice(0, minObserved) : before;
    const mean = used.length === 0 ? 0 : sum(used.map((i) => row[i] as number)) / used.length;
    const squares = sum(used.map((i) => ((row[i] as number) - mean) ** 2));
    const observedValues = before.map((i) => row[i] as number);
    const distance = sum(observedValues.slice(1).map((value, i) => Math.abs(value - (observedValues[i] as number))));
    for (let i = 0; i < p; i++) {
      scaled.location.push(mean);
      scaled.scale.push(Math.max(Math.sqrt(squares / Math.max(used.length - 1, 1)), 1e-6));
      scaled.count.push(observedValues.length);
      scaled.last.push(observedValues.at(-1) ?? 0);
      scaled.step.push(distance / Math.max(observedValues.length - 1, 1));
    }
  }
  return scaled;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
