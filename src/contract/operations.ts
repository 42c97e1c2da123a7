import { accessOperations } from './access.ts';
import { keyOperations } from './keys.ts';
import { sessionOperations } from './sessions.ts';

/** Every operation of the service by its id. What is listed here must be handled, or the service does not compile. */
export const operations = {
  ...accessOperations,
  ...keyOperations,
  ...sessionOperations,
};

export type Operations = typeof operations;
export type OperationId = keyof Operations;
