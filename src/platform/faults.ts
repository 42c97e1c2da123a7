import { type ErrorCode, Fault, type FaultDetails } from '../contract/index.ts';

/** Returns a fault that another thread threw, which arrives here as a plain copy. */
export function faultOfThread(code: ErrorCode, message: string, details: FaultDetails): Fault {
  return new Fault(code, message, details);
}

export function threadLost(): Fault {
  return new Fault('UNAVAILABLE', 'The thread that read the request ended unexpectedly. Try again.');
}

export function cursorMismatch(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: belongs to another list. Repeat the request that returned it with the same filters.',
  );
}
