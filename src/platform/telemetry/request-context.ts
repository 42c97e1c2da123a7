import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs `work`, and everything that it starts, as part of the request with this id. */
export function runInRequest<T>(requestId: string | undefined, work: () => T): T {
  return requestId === undefined ? work() : current.run(requestId, work);
}

/** Returns the id of the request that the running code serves or, in a job, of the request that added the job. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Runs `work` as part of no request. */
export function runOutsideRequest<T>(work: () => T): T {
  return current.exit(work);
}
