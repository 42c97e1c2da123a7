import { SeriesError, type SeriesErrorCode } from '../calendar/index.ts';
import {
  ForecastError,
  type ForecastErrorCode,
  type ForecastRequest,
  type ForecastResult,
  type Progress,
} from '../engine/index.ts';
import type { CheckpointFolders } from './checkpoints/checkpoint.ts';
import type { EngineBundle } from './engines/engine-bundles.ts';

/** The first message to the engine's process. */
export interface EngineSettings {
  /** Where checkpoints are; undefined if Toto is not available. */
  readonly folders: CheckpointFolders | undefined;
  /** The engine of an earlier version; undefined for the one in the sources. */
  readonly bundle: EngineBundle | undefined;
  /** How often the process reports that it responds. */
  readonly aliveMs: number;
}

/** A further message to the engine's process. */
export type EngineCommand =
  | {
      readonly kind: 'forecast';
      readonly id: number;
      readonly request: ForecastRequest;
      /** The number of fit threads that all running forecasts may use together from now on. */
      readonly threads: number;
      /** The id of Toto's checkpoint; without one Toto does not take part. */
      readonly toto: string | undefined;
    }
  | { readonly kind: 'cancel'; readonly id: number };

/** A message from the engine's process. */
export type EngineReport =
  | { readonly kind: 'ready'; readonly models: readonly string[] }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  /** The process responds. */
  | { readonly kind: 'alive' }
  /** The process could not start, and ends. */
  | { readonly kind: 'broken'; readonly error: SerializedError }
  /** Sent just before `done` or `failed`. `cpuMs` is the CPU time of the process since its start. */
  | { readonly kind: 'fitted'; readonly id: number; readonly models: readonly FittedModel[]; readonly cpuMs: number }
  | { readonly kind: 'done'; readonly id: number; readonly result: ForecastResult }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerializedError }
  /** A fit thread died and was replaced. */
  | { readonly kind: 'replaced' };

/** The cost of fitting one model in one forecast. */
export interface FittedModel {
  readonly model: string;
  /** The start of the first fit and the end of the last one, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The total time of all fits, in whichever thread they ran. */
  readonly busyMs: number;
  /** The number of Prophet searches that the guard ended. */
  readonly endedSearches: number;
}

/** An error as plain values, because only plain values can be passed between processes. */
export type SerializedError =
  | {
      readonly type: 'forecast';
      readonly code: ForecastErrorCode;
      readonly message: string;
      readonly field: string | null;
      /** For the log. */
      readonly detail: string | undefined;
    }
  | { readonly type: 'series'; readonly code: SeriesErrorCode; readonly message: string; readonly index: number | null }
  | { readonly type: 'other'; readonly name: string; readonly message: string; readonly stack: string | undefined };

export function serializeError(error: unknown): SerializedError {
  if (isForecastError(error)) {
    const { code, message, field, cause } = error;
    return { type: 'forecast', code, message, field, detail: cause === undefined ? undefined : String(cause) };
  }
  if (isSeriesError(error)) {
    return { type: 'series', code: error.code, message: error.message, index: error.index };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { type: 'other', name, message, stack };
}

// By their names, because an engine from a bundle has classes of its own.

function isForecastError(error: unknown): error is ForecastError {
  return error instanceof Error && error.name === 'ForecastError';
}

function isSeriesError(error: unknown): error is SeriesError {
  return error instanceof Error && error.name === 'SeriesError';
}

export function deserializeError(serialized: SerializedError): Error {
  if (serialized.type === 'forecast') {
    const options = serialized.detail === undefined ? undefined : { cause: serialized.detail };
    return new ForecastError(serialized.code, serialized.message, serialized.field, options);
  }
  if (serialized.type === 'series') return new SeriesError(serialized.code, serialized.message, serialized.index);
  const error = new Error(serialized.message);
  error.name = serialized.name;
  if (serialized.stack !== undefined) error.stack = serialized.stack;
  return error;
}
