import type { MessagePort } from 'node:worker_threads';
import { SeriesError, type SeriesErrorCode } from '../calendar/index.ts';
import {
  ForecastError,
  type ForecastErrorCode,
  type ForecastRequest,
  type ForecastResult,
  type Progress,
} from '../engine/index.ts';
import type { FittedModel } from './fit-times.ts';

/** What the engine's thread is started with. */
export interface EngineThreadData {
  readonly threads: number | undefined;
  /** Of Toto's thread, where there is one. */
  readonly totoPort: MessagePort | undefined;
}

/** What the engine's thread is told. */
export type EngineCommand =
  | {
      readonly kind: 'forecast';
      readonly id: number;
      readonly request: ForecastRequest;
      /** The checkpoint of toto; left out: toto takes no part. */
      readonly toto: string | undefined;
    }
  | { readonly kind: 'cancel'; readonly id: number };

/** What it says. */
export type EngineReport =
  | { readonly kind: 'ready'; readonly models: readonly string[] }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  /** Said just before the end of a forecast, whichever that is. */
  | { readonly kind: 'fitted'; readonly id: number; readonly models: readonly FittedModel[] }
  | { readonly kind: 'done'; readonly id: number; readonly result: ForecastResult }
  | { readonly kind: 'failed'; readonly id: number; readonly error: WrittenError }
  /** A thread that fits has died, and another takes its place. */
  | { readonly kind: 'replaced' };

/** An error that has to cross from thread to thread: only plain values do. */
export type WrittenError =
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

export function writeError(error: unknown): WrittenError {
  if (error instanceof ForecastError) {
    const { code, message, field, cause } = error;
    return { type: 'forecast', code, message, field, detail: cause === undefined ? undefined : String(cause) };
  }
  if (error instanceof SeriesError) {
    return { type: 'series', code: error.code, message: error.message, index: error.index };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { type: 'other', name, message, stack };
}

export function readError(written: WrittenError): Error {
  if (written.type === 'forecast') {
    const options = written.detail === undefined ? undefined : { cause: written.detail };
    return new ForecastError(written.code, written.message, written.field, options);
  }
  if (written.type === 'series') return new SeriesError(written.code, written.message, written.index);
  const error = new Error(written.message);
  error.name = written.name;
  if (written.stack !== undefined) error.stack = written.stack;
  return error;
}
