import type { Call } from './call.ts';
import { AlmanacError, ForecastFailedError } from './errors.ts';
import type { ForecastsMethods } from './generated/methods.ts';
import type { CreateForecastInput, EnsembleForecast, QueuedForecast } from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { isTemporary, pause } from './retry.ts';
import type { ForecastEvent } from './watch.ts';

export interface RunOptions extends CallOptions {
  /** Called when the forecast is queued, so that its id can be stored. */
  readonly onCreated?: ((forecast: QueuedForecast) => void) | undefined;
  /** Called for every event of the forecast. */
  readonly onEvent?: ((event: ForecastEvent) => void) | undefined;
  /** Whether to cancel the forecast if `signal` aborts. Default: false, the forecast continues without the caller. */
  readonly cancelOnAbort?: boolean | undefined;
}

const POLL_MS = 2_000;

/** Creates a forecast, follows it until it ends, and returns it with its result. */
export async function runForecast(
  methods: ForecastsMethods,
  input: CreateForecastInput,
  { onCreated, onEvent, cancelOnAbort = false, ...options }: RunOptions,
): Promise<EnsembleForecast> {
  const created = await methods.create(input, options);
  // The other calls are not the one that the key or the version is for.
  const { signal, timeoutMs, maxRetries, headers } = options;
  const others: CallOptions = { signal, timeoutMs, maxRetries, headers };
  const id = { forecast_id: created.forecast_id };
  try {
    onCreated?.(created);
    await follow(methods, id, others, onEvent);
    const forecast = await waitForEnd(methods, id, others);
    if (forecast.status === 'failed') throw new ForecastFailedError(forecast);
    return forecast;
  } catch (error) {
    if (cancelOnAbort && signal?.aborted) await cancel(methods.cancel(id, { timeoutMs, maxRetries, headers }));
    throw error;
  }
}

/** Follows the events. If that is not possible, for example because a proxy holds streams back, the caller polls. */
async function follow(
  methods: ForecastsMethods,
  id: { readonly forecast_id: string },
  options: CallOptions,
  onEvent: RunOptions['onEvent'],
): Promise<void> {
  try {
    for await (const event of methods.watch(id, options)) onEvent?.(event);
  } catch (error) {
    if (!(error instanceof AlmanacError) || !isTemporary(error)) throw error;
  }
}

async function waitForEnd(
  methods: ForecastsMethods,
  id: { readonly forecast_id: string },
  options: CallOptions,
): Promise<EnsembleForecast> {
  for (;;) {
    const forecast = await methods.read(id, options);
    if (forecast.status === 'completed' || forecast.status === 'failed') return forecast;
    await pause(POLL_MS, options.signal);
  }
}

/** Cancels as far as possible. The caller gets the reason of the abort, whether the forecast could be canceled or not. */
async function cancel(call: Call<unknown>): Promise<void> {
  await call.catch(() => {});
}
