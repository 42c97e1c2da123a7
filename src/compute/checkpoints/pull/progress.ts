/** What a pull tells while it works. */
export type PullEvent =
  | { readonly kind: 'progress'; readonly received: number; readonly total: number | undefined; readonly rate: number }
  | { readonly kind: 'note'; readonly text: string };

const MIN_INTERVAL_MS = 250;

/** Turns every chunk into a few reports a second, with the bytes per second of this run. The last byte is reported. */
export function reportProgress(
  onEvent: (event: PullEvent) => void,
  now: () => number = () => performance.now(),
): (received: number, total: number | undefined) => void {
  let first: { at: number; received: number } | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (received, total) => {
    const at = now();
    // Starting over takes back what was counted.
    if (first === undefined || received < first.received) first = { at, received };
    if (at - last < MIN_INTERVAL_MS && received !== total) return;
    last = at;
    const seconds = (at - first.at) / 1000;
    onEvent({ kind: 'progress', received, total, rate: seconds > 0 ? (received - first.received) / seconds : 0 });
  };
}
