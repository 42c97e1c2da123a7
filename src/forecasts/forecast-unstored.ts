import type { Guest, Licenses } from '../access/index.ts';
import {
  type Engine,
  type Fingerprint,
  type ForecastOptions,
  type ModelCheckpoints,
  readFingerprint,
} from '../compute/index.ts';
import type { ForecastContext } from './context.ts';
import { acceptRequest, checkMode, licensedCheckpoints } from './create/accept-request.ts';
import { readInlineInput } from './create/inline-input.ts';
import { type CreateRequest, checkKnownAtCutoff, type ForecastInput, readSourceInput } from './create/read-input.ts';
import { toEngineRequest } from './run/run-forecast.ts';
import type { ForecastSettings } from './tables.ts';
import { type ForecastView, viewResult, viewSettings } from './view-forecast.ts';

/** What a forecast needs that is neither stored nor queued. There is no database among it. */
export interface UnstoredParts extends Pick<ForecastContext, 'sources'> {
  readonly clock: { now(): Date };
  readonly checkpoints: Pick<ModelCheckpoints, 'current'>;
  readonly licenses: Licenses;
}

/** A request whose rows were read and that the engine will accept. */
export interface PreparedUnstored {
  readonly input: ForecastInput;
  readonly settings: ForecastSettings;
  readonly checkpoints: Readonly<Record<string, string>>;
}

/** The result of a forecast that is not stored, with the names of the API. */
export interface UnstoredForecast
  extends Required<
      Pick<ForecastView, 'historical_validation' | 'effective_weights_by_quantile' | 'members' | 'season'>
    >,
    Pick<ForecastView, 'weighting' | 'weight_mode' | 'predictions' | 'settings'> {
  readonly checkpoints: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint;
}

/** The sources that need no database check no rights of the caller. */
const CALLER: Guest = { kind: 'guest', guestId: '' };

/**
 * Reads the rows of a request and checks it as `createForecast` does, without storing anything. The same request on the
 * same rows gives the same digits as through the service.
 */
export async function prepareUnstored(
  { sources, clock, checkpoints, licenses }: UnstoredParts,
  request: CreateRequest,
  signal?: AbortSignal,
): Promise<PreparedUnstored> {
  checkKnownAtCutoff(request);
  checkMode(request);
  const { source } = request;
  const input =
    source.type === 'inline'
      ? await readInlineInput(request, source.rows)
      : await readSourceInput({ sources, clock: { now: () => clock.now() } }, CALLER, request, source, signal);
  const usable = licensedCheckpoints(request, await checkpoints.current(), licenses);
  const accepted = acceptRequest(request, input, usable);
  return { input, settings: accepted.settings, checkpoints: accepted.checkpoints };
}

/** Runs a prepared forecast on an engine of this process. */
export async function runUnstored(
  engine: Engine,
  { input, settings, checkpoints }: PreparedUnstored,
  options: Omit<ForecastOptions, 'checkpoints'> = {},
): Promise<UnstoredForecast> {
  const result = await engine.forecast(toEngineRequest(settings, input), { ...options, checkpoints });
  return {
    predictions: result.predictions.map(({ timestamp, quantiles }) => ({ timestamp, quantiles: { ...quantiles } })),
    weight_mode: result.weight_mode,
    ...(viewResult(result, checkpoints) as Required<ReturnType<typeof viewResult>>),
    settings: viewSettings(settings),
    checkpoints,
    fingerprint: readFingerprint(settings.models),
  };
}
