import type { WriteStream } from 'node:tty';
import type { PullEvent } from '../../compute/index.ts';

/** A line that replaces itself may come often; in a file each one stays. */
const FILE_INTERVAL_MS = 2_000;

export interface ShownPull extends Disposable {
  readonly onEvent: (event: PullEvent) => void;
  /** Raised by Ctrl-C: what has come is kept, and the command says so. A second one ends the process as usual. */
  readonly signal: AbortSignal;
}

/** Shows a pull on standard error while it runs. */
export function showPull(stream: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean }): ShownPull {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const isTerminal = stream.isTTY === true;
  let lineIsOpen = false;
  let shownAt = Number.NEGATIVE_INFINITY;

  const endLine = () => {
    if (lineIsOpen) stream.write('\n');
    lineIsOpen = false;
  };
  return {
    onEvent(event) {
      if (event.kind === 'note') {
        endLine();
        stream.write(`${event.text}\n`);
      } else if (isTerminal) {
        stream.write(`\r\u001b[K${sayProgress(event)}`);
        lineIsOpen = true;
      } else if (performance.now() - shownAt >= FILE_INTERVAL_MS || event.received === event.total) {
        shownAt = performance.now();
        stream.write(`${sayProgress(event)}\n`);
      }
    },
    signal: stop.signal,
    [Symbol.dispose]() {
      endLine();
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    },
  };
}

/** @example '8.3 of 16.6 MB, 50 %, 2.1 MB/s' */
export function sayProgress({ received, total, rate }: Extract<PullEvent, { kind: 'progress' }>): string {
  const speed = `${megabytes(rate)} MB/s`;
  if (total === undefined) return `${megabytes(received)} MB, ${speed}`;
  const percent = total === 0 ? 100 : Math.floor((100 * received) / total);
  return `${megabytes(received)} of ${megabytes(total)} MB, ${percent} %, ${speed}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
