import { SeriesError } from '../../calendar/index.ts';
import { Fault } from '../../contract/index.ts';
import { ForecastError } from '../../engine/index.ts';

/** Makes a check of the engine, with its refusals in the words of the interface. */
export function withFaults<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof SeriesError) throw new Fault('INVALID_REQUEST', `source: ${error.message}`);
    if (!(error instanceof ForecastError)) throw error;
    if (error.code === 'INSUFFICIENT_HISTORY') throw new Fault('INSUFFICIENT_HISTORY', error.message);
    if (error.code === 'UNSUPPORTED_QUANTILE') throw new Fault('UNPROCESSABLE', `quantiles: ${error.message}`);
    // The engine puts the name before what is wrong with it.
    throw new Fault('INVALID_REQUEST', `${error.field}: ${error.message.slice((error.field ?? '').length + 1)}`);
  }
}
