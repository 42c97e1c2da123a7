import { AlmanacError, ForecastFailedError } from './errors.ts';
import type { ForecastsMethods } from './generated/methods.ts';
import type { CreateForecastInput, EnsembleForecast, QueuedForecast } from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { createKey } from './request.ts';
import { isTemporary, pause } from './retry.ts';
import type { ForecastEvent } from './watch.ts';

export interface RunOptions extends CallOptions {
  /** Called when the forecast is queued, so that its id can be stored. A promise is awaited. */
  readonly onCreated?: ((forecast: QueuedForecast) => unknown) | undefined;
  /** Called for every event of the forecast. A promise is awaited. */
  readonly onEvent?: ((event: ForecastEvent) => unknown) | undefined;
  /**
   * Whether to cancel the forecast if `signal` aborts. The call then ends after the request to cancel, at most five seconds
   * later. Default: false, the forecast continues without the caller.
   */
  readonly cancelOnAbort?: boolean | undefined;
}

const POLL_MS = 2_000;
const CANCEL_MS = 5_000;

/** Creates a forecast, follows it until it ends, and returns it with its result. */
export async function runForecast(
  methods: ForecastsMethods,
  input: CreateForecastInput,
  { onCreated, onEvent, cancelOnAbort = false, ...options }: RunOptions,
): Promise<EnsembleForecast> {
  const creation = { ...options, idempotencyKey: options.idempotencyKey ?? createKey() };
  // The other calls are not the one that the key or the version is for.
  const { signal, timeoutMs, maxRetries, headers } = options;
  const others: CallOptions = { signal, timeoutMs, maxRetries, headers };
  const last = { ...creation, signal: undefined, timeoutMs: CANCEL_MS, maxRetries: 0 };
  let created: QueuedForecast | undefined;
  try {
    created = await methods.create(input, creation);
    const id = { forecast_id: created.forecast_id };
    await onCreated?.(created);
    await follow(methods, id, others, onEvent);
    const forecast = await waitForEnd(methods, id, others);
    if (forecast.status === 'failed') throw new ForecastFailedError(forecast);
    return forecast;
  } catch (error) {
    if (error instanceof AlmanacError) error.forecastId = created?.forecast_id ?? null;
    if (cancelOnAbort && signal?.aborted && error === signal.reason) {
      // The service may have received the request whose reply was not awaited. The same key returns the same forecast.
      await attemptTo(async () => {
        const { forecast_id } = created ?? (await methods.create(input, last));
        await methods.cancel({ forecast_id }, { headers, timeoutMs: CANCEL_MS, maxRetries: 0 });
      });
    }
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
  const events = methods.watch(id, options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await events.next().catch((error: unknown) => {
        if (error instanceof AlmanacError && isTemporary(error)) return null;
        throw error;
      });
      if (next === null || next.done) return;
      // An error of the caller's function ends the run, whatever it is.
      await onEvent?.(next.value);
    }
  } finally {
    await events.return?.();
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

/** Does what is possible. The caller gets the reason of the abort in any case. */
async function attemptTo(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => {});
}
