import { Fault } from '../contract/index.ts';
import type { Database, Queue } from '../platform/index.ts';

/** For those that queue nothing. */
export const NO_QUEUE = new Proxy({} as Queue, {
  get: () => {
    throw new Fault('UNAVAILABLE', 'Jobs cannot be queued here.');
  },
});

/** For those that read files only. */
export const NO_DATABASE = new Proxy({} as Database, {
  get: () => {
    throw new Fault('UNAVAILABLE', 'There is no database here.');
  },
});
