import { Fault } from '../contract/index.ts';

export function threadLost(): Fault {
  return new Fault('UNAVAILABLE', 'The thread that read the request ended unexpectedly. Try again.');
}

export function cursorMismatch(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: belongs to another list. Repeat the request that returned it with the same filters.',
  );
}
