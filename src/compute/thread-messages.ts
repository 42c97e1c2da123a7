import type { MessagePort } from 'node:worker_threads';
import { SeriesError, type SeriesErrorCode } from '../calendar/index.ts';
import {
  type FitOutcome,
  type FitTask,
  ForecastError,
  type ForecastErrorCode,
  type ForecastRequest,
  type ForecastResult,
  type Progress,
} from '../engine/index.ts';
import type { EngineBundle } from './engines/engine-bundles.ts';

/**
 * Size of the young generation in the heap of each thread. Fits allocate only short-lived values, so a small one is
 * enough. The default is several times as large; with a handful of threads it would take a third of the memory of the
 * process.
 */
export const YOUNG_GENERATION_MB = 4;

/** The data that the engine's thread is started with. */
export interface EngineThreadData {
  /** The port of Toto's thread; undefined if Toto is not available. */
  readonly totoPort: MessagePort | undefined;
  /** The engine of an earlier version; undefined for the one in the sources. */
  readonly bundle: EngineBundle | undefined;
}

/** A message to the engine's thread. */
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

/** A message from the engine's thread. */
export type EngineReport =
  | { readonly kind: 'ready'; readonly models: readonly string[] }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  /** Sent just before `done` or `failed`. */
  | { readonly kind: 'fitted'; readonly id: number; readonly models: readonly FittedModel[] }
  | { readonly kind: 'done'; readonly id: number; readonly result: ForecastResult }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerializedError }
  /** A fit thread died and was replaced. */
  | { readonly kind: 'replaced' };

/** The data that a fit thread is started with. */
export interface FitThreadData {
  readonly bundle: EngineBundle | undefined;
}

/** A message to a fit thread. */
export interface FitThreadRequest {
  readonly task: FitTask;
  /** One number in shared memory; it is not 0 after the task has been aborted. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The answer of a fit thread: outcomes, or null after an abort. */
export interface FitThreadAnswer {
  readonly outcomes: readonly FitOutcome[] | null;
  readonly time: FitTime;
}

/** Sent once by a fit thread, when every model is loaded. */
export interface FitThreadReady {
  readonly models: readonly string[];
  /** The models whose fits to one series must run in order. */
  readonly sequentialModels: readonly string[];
}

/** When a fit started and how long it took. */
export interface FitTime {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  /** The number of Prophet searches that the guard ended; omitted if there were none. */
  readonly endedSearches?: number;
}

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

/** An error as plain values, because only plain values can be passed between threads. */
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
