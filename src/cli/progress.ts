/**
 * Minimum time between two lines if the output is a file, where every line stays. On a terminal, each line replaces the
 * previous one.
 */
const FILE_INTERVAL_MS = 2_000;
const BAR_WIDTH = 30;

export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Progress extends Disposable {
  /** Shows the current state in one line. `isDone` marks the last line, which is always written. */
  show(line: string, isDone: boolean): void;
  /** Writes a line that is not replaced. */
  note(line: string): void;
  /** Aborted on Ctrl-C, so that the command can end cleanly. A second Ctrl-C ends the process immediately. */
  readonly signal: AbortSignal;
}

/** Starts to show the progress of a command on a stream, usually standard error. */
export function startProgress(stream: ProgressStream): Progress {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let shownAt = Number.NEGATIVE_INFINITY;
  let isLineOpen = false;
  const endLine = () => {
    if (isLineOpen) stream.write('\n');
    isLineOpen = false;
  };
  return {
    show(line, isDone) {
      const now = performance.now();
      if (stream.isTTY === true) {
        stream.write(`\r\u001b[K${line}`);
        isLineOpen = true;
      } else if (now - shownAt >= FILE_INTERVAL_MS || isDone) {
        shownAt = now;
        stream.write(`${line}\n`);
      }
    },
    note(line) {
      endLine();
      stream.write(`${line}\n`);
    },
    signal: stop.signal,
    [Symbol.dispose]() {
      endLine();
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}

/** @example formatBar(1, 3) // '[==========                    ] 1 of 3' */
export function formatBar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  return `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${done} of ${total}`;
}

/** @example formatTimeLeft(4_000, 1, 3) // 'about 8 s left' */
export function formatTimeLeft(elapsedMs: number, done: number, total: number): string {
  if (done === 0 || done === total) return `${Math.round(elapsedMs / 1000)} s`;
  return `about ${Math.ceil((elapsedMs / 1000 / done) * (total - done))} s left`;
}
