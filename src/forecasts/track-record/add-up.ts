import type { z } from 'zod';
import type { TrackRecord } from '../../contract/index.ts';
import { wilsonInterval } from '../../engine/index.ts';
import { HORIZON_BANDS, type HorizonBand, type Tally } from '../outcomes/score-outcome.ts';

/** The record of the ensemble or of a model. */
export type ModelRecord = z.input<typeof TrackRecord>['ensemble'];

type Figures = Omit<ModelRecord, 'deciles' | 'bands'>;

/**
 * The relative losses of single forecasts are clamped to these bounds, because a single exact forecast would otherwise
 * make the geometric mean 0, and a single exploded one would make it infinite.
 */
export const MIN_RELATIVE_LOSS = 0.001;
export const MAX_RELATIVE_LOSS = 1_000;

/** Adds up the tallies of forecasts, one after the other, so that their scores need not be in memory together. */
export class RecordTotal {
  readonly #all = new FigureTotal();
  readonly #bands = new Map<HorizonBand, FigureTotal>();
  readonly #deciles = new Array<number>(10).fill(0);

  /** Adds the tallies of one forecast. */
  add(bands: Partial<Record<HorizonBand, Tally>>): void {
    const tallies = HORIZON_BANDS.flatMap(({ name }) => {
      const tally = bands[name];
      return tally === undefined ? [] : [[name, tally] as const];
    });
    if (tallies.length === 0) return;
    this.#all.add(tallies.map(([, tally]) => tally));
    for (const [band, tally] of tallies) {
      const total = this.#bands.get(band) ?? new FigureTotal();
      this.#bands.set(band, total);
      total.add([tally]);
      tally.deciles?.forEach((rows, i) => {
        this.#deciles[i] = (this.#deciles[i] as number) + rows;
      });
    }
  }

  summarize(): ModelRecord {
    const placed = this.#deciles.reduce((sum, rows) => sum + rows, 0);
    return {
      ...this.#all.summarize(),
      deciles: this.#deciles.map((rows, i) => ({
        from: i / 10,
        to: (i + 1) / 10,
        rows,
        share: placed > 0 ? rows / placed : null,
      })),
      bands: HORIZON_BANDS.flatMap(({ name }) => {
        const total = this.#bands.get(name);
        return total === undefined ? [] : [{ steps: name, ...total.summarize() }];
      }),
    };
  }
}

class FigureTotal {
  #forecasts = 0;
  #rows = 0;
  #compared = 0;
  #logarithms = 0;
  readonly #intervals = new Map<string, { inside: number; rows: number }>();

  /** Adds one forecast, whose rows can be in several tallies. */
  add(tallies: readonly Tally[]): void {
    this.#forecasts++;
    const ratio = compareLosses(tallies);
    if (ratio !== null) {
      this.#compared++;
      this.#logarithms += Math.log(ratio);
    }
    for (const { rows, inside } of tallies) {
      this.#rows += rows;
      for (const [interval, count] of Object.entries(inside)) {
        const total = this.#intervals.get(interval) ?? { inside: 0, rows: 0 };
        this.#intervals.set(interval, { inside: total.inside + count, rows: total.rows + rows });
      }
    }
  }

  summarize(): Figures {
    const coverage = [...this.#intervals]
      .map(([interval, { inside, rows }]) => ({
        interval,
        nominal: Number(interval),
        inside,
        rows,
        share: inside / rows,
        ...wilsonInterval(inside, rows),
      }))
      .sort((a, b) => a.nominal - b.nominal);
    return {
      forecasts: this.#forecasts,
      rows: this.#rows,
      relative_wql: this.#compared > 0 ? Math.exp(this.#logarithms / this.#compared) : null,
      compared: this.#compared,
      coverage,
    };
  }
}

/** Returns the loss of a forecast relative to the seasonal naive one; null if the latter is 0 or unknown. */
function compareLosses(tallies: readonly Tally[]): number | null {
  let loss = 0;
  let baseline = 0;
  for (const tally of tallies) {
    if (tally.baseline_loss === null) return null;
    loss += tally.loss;
    baseline += tally.baseline_loss;
  }
  if (baseline <= 0) return null;
  // Two infinite sums have no ratio, and the bounds do not apply to NaN.
  const ratio = loss / baseline;
  return Number.isNaN(ratio) ? null : Math.min(MAX_RELATIVE_LOSS, Math.max(MIN_RELATIVE_LOSS, ratio));
}
