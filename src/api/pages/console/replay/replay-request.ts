import { createHash } from 'node:crypto';
import { canonicalJson, type Operations, type Output } from '../../../../contract/index.ts';

export type Forecast = Output<Operations['readForecast']>;
type Settings = Forecast['settings'];
type Source = NonNullable<Settings['source']>;

/** A forecast of a source that can be read again with a cutoff. */
export type ReplayableForecast = Forecast & { readonly settings: Settings & { readonly source: Source } };

/** Returns whether a forecast can be replayed: its rows can be read again, and so can what came after. */
export function canReplay(forecast: Forecast): forecast is ReplayableForecast {
  const { source } = forecast.settings;
  return source !== null && source.type !== 'workspace_csv';
}

/** A replay that is asked for. */
export interface ReplayChoice {
  /** No row after this instant is read. */
  readonly cutoff: string;
  /** Whether the values are those that were known at the cutoff. */
  readonly isAsKnown: boolean;
}

/** The settings that a replay has in common with its original. Equal settings have equal texts. */
export function commonSettings({ settings, request }: ReplayableForecast) {
  const { mode, weights, settle_days: settleDays } = settings;
  const { limit } = request;
  return {
    source: withoutVintage(settings.source),
    horizon: settings.horizon,
    quantiles: settings.quantiles,
    // The fast mode determines its models and weights itself.
    ...(mode === undefined
      ? { models: settings.models, weight_mode: settings.weight_mode, ...(weights !== null && { weights }) }
      : { mode }),
    weighting_policy: settings.weighting_policy,
    transform: settings.transform,
    seed: settings.seed,
    ...(limit !== undefined && { limit }),
    ...(settleDays !== undefined && { settle_days: settleDays }),
  };
}

/** The vintage of a replay follows from its cutoff. */
export function withoutVintage(source: Source): Source {
  if (source.type !== 'economic_series') return source;
  const { vintage: _, ...rest } = source;
  return rest;
}

/** Returns the body of the request that makes a replay. It is private: a workspace did not ask for it. */
export function replayRequest(original: ReplayableForecast, { cutoff, isAsKnown }: ReplayChoice, name: string) {
  return {
    ...commonSettings(original),
    cutoff,
    ...(isAsKnown && { as_known_at_cutoff: true }),
    title: name.slice(0, MAX_TITLE),
  };
}

const MAX_TITLE = 200;

/**
 * Returns the idempotency key of a replay. Asking twice for the same replay leads to the same forecast. The key is that
 * of the whole request, which has a title: a renamed original makes another request.
 *
 * @param failures number of replays with this cutoff that failed. After a failure, the replay can be made again.
 */
export function replayKey(request: ReturnType<typeof replayRequest>, failures: number): string {
  const content = canonicalJson({ request, failures });
  return `replay-${createHash('sha256').update(content).digest('hex')}`;
}
