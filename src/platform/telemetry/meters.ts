import type { CounterName, GaugeName, HistogramName, LabelsOf } from './catalogue.ts';

/** Where measurements go. */
export interface Meters {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void;
  change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

// One for the process, as what is measured is. Handed from part to part it would be in every signature of the house.
let meters: Meters | null = null;

/** From now on measurements go there; null: nowhere. */
export function useMeters(next: Meters | null): void {
  meters = next;
}

export function isMeasured(): boolean {
  return meters !== null;
}

/** Adds one. @example count('forecasts_failed_total', { code: 'TIMED_OUT' }); */
export function count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void {
  meters?.count(name, labels);
}

/** Makes a value that goes up and down larger, or with a negative `by` smaller. */
export function change<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, by: number): void {
  meters?.change(name, labels, by);
}

/** Notes how long something took. */
export function observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void {
  meters?.observe(name, labels, seconds);
}
