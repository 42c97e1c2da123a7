import { Fault, type Operations } from '../../contract/index.ts';
import { findForecastFacts, knownCaller, watchEvents } from '../../forecasts/index.ts';
import type { Call, Handlers } from '../call.ts';
import { EventStream, lastEventNumber } from '../event-stream.ts';

type WatchCall = Call<Operations['watchForecast']>;

export const watchingHandlers = {
  async watchForecast(call) {
    const { parts, principal, params, lastEventId } = call;
    const forecast = await findForecastFacts(parts.jobs, knownCaller(principal), params.forecast_id, 'forecast.read');
    const { id, status, last_event } = forecast;
    const after = lastEventNumber(lastEventId);
    const hasEnded = status === 'completed' || status === 'failed';
    // A browser connects again whenever a stream ends, and stops at an answer without one.
    if (lastEventId !== null && hasEnded && after >= last_event) return null;
    return new EventStream((signal) => watchEvents(parts, id, after, signal), {
      mayGoOn: () => mayStillRead(call, id),
    });
  },
} satisfies Partial<Handlers>;

async function mayStillRead({ parts, principalNow }: WatchCall, id: string): Promise<boolean> {
  const principal = await principalNow();
  if (principal === null) return false;
  try {
    await findForecastFacts(parts.jobs, knownCaller(principal), id, 'forecast.read');
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
