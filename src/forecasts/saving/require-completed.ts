import { Fault, type ForecastStatus } from '../../contract/index.ts';

export function requireCompleted(status: ForecastStatus): void {
  if (status === 'completed') return;
  throw new Fault('NOT_COMPLETED', `The forecast is ${status}; only a completed one can be saved.`);
}
