import { Fault } from '../contract/index.ts';

export function cursorMismatch(): Fault {
  return new Fault(
    'INVALID_REQUEST',
    'cursor: belongs to another list or other filters. Use it with the request that returned it.',
  );
}
