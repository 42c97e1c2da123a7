import type { Clock, Log } from '../../platform/index.ts';
import type { WaitCode } from '../receipts/tables.ts';
import { type VbaseError, type VbaseFault, WAIT_CODES } from './vbase-error.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** The wait after the first failure. It doubles with each further one. */
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 15 * MINUTE_MS;
/** The longest wait that the service can request. */
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;

/** The time during which the stamper sends no requests after a failure. */
export interface Pause {
  /** The wait code of the failure; null if requests may be sent. */
  current(): WaitCode | null;
  /** Begins a pause. The log gets one line until the fault changes or requests succeed. */
  begin(error: VbaseError): void;
  /** Notes that a request succeeded. */
  end(): void;
}

/** Creates the pause of a stamper. It is not stored: another process finds the same failure with its first request. */
export function createPause({ clock, log }: { readonly clock: Clock; readonly log: Log }): Pause {
  let fault: VbaseFault | null = null;
  let failures = 0;
  let until = 0;
  return {
    current: () => (fault !== null && clock.now().getTime() < until ? WAIT_CODES[fault] : null),
    begin(error) {
      const { message, reason, retryAfterMs } = error;
      until = clock.now().getTime() + pauseMs(error.fault, failures, retryAfterMs);
      failures++;
      if (error.fault !== fault) log.error({ code: WAIT_CODES[error.fault], reason }, message);
      fault = error.fault;
    },
    end() {
      if (fault !== null) log.info("vBase's service accepts requests again");
      fault = null;
      failures = 0;
    },
  };
}

function pauseMs(fault: VbaseFault, failures: number, retryAfterMs: number | null): number {
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, SECOND_MS), MAX_RETRY_AFTER_MS);
  // Settings and payments are not expected to change within a minute.
  if (WAIT_CODES[fault] !== 'STAMPER_UNREACHABLE') return MAX_PAUSE_MS;
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
}
