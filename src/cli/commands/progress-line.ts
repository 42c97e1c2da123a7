import type { WriteStream } from 'node:tty';

/** A line that replaces itself may come often; in a file each one stays. */
const FILE_INTERVAL_MS = 2_000;
const BAR_WIDTH = 30;

export interface ProgressLine extends Disposable {
  show(done: number, total: number, note: string): void;
  /** Raised by Ctrl-C. A second one ends the process as usual. */
  readonly signal: AbortSignal;
}

/** Shows on standard error how far a command has come. */
export function progressLine(stream: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }): ProgressLine {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const startedAt = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let lineIsOpen = false;
  return {
    show(done, total, note) {
      const now = performance.now();
      const line = `${barOf(done, total)}, ${note}${timeLeft(now - startedAt, done, total)}`;
      if (stream.isTTY === true) {
        stream.write(`\r\u001b[K${line}`);
        lineIsOpen = true;
      } else if (now - shownAt >= FILE_INTERVAL_MS || done === total) {
        shownAt = now;
        stream.write(`${line}\n`);
      }
    },
    signal: stop.signal,
    [Symbol.dispose]() {
      if (lineIsOpen) stream.write('\n');
      lineIsOpen = false;
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}

/** @example barOf(1, 3) // '[==========                    ] 1 of 3' */
export function barOf(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  return `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${done} of ${total}`;
}

function timeLeft(elapsedMs: number, done: number, total: number): string {
  if (done === 0 || done === total) return `, ${Math.round(elapsedMs / 1000)} s`;
  return `, about ${Math.ceil((elapsedMs / 1000 / done) * (total - done))} s left`;
}
