import { accessOperations } from './access.ts';
import { forecastOperations } from './forecasts.ts';
import { keyOperations } from './keys.ts';
import { marketDataOperations } from './market-data.ts';
import { marketSearchOperations } from './market-search.ts';
import { savingOperations } from './saving.ts';
import { sessionOperations } from './sessions.ts';

/** Every operation of the service by its id. What is listed here must be handled, or the service does not compile. */
export const operations = {
  ...accessOperations,
  ...keyOperations,
  ...sessionOperations,
  ...marketSearchOperations,
  ...marketDataOperations,
  ...forecastOperations,
  ...savingOperations,
};

export type Operations = typeof operations;
export type OperationId = keyof Operations;
