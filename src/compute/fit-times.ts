import type { FitOutcome, FitRunner, FitTask } from '../engine/index.ts';

/** When a thread was busy with fits. */
export interface FitTime {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
}

/** A runner that tells how long its threads took. The engine proper knows no clock. */
export interface TimedRunner extends FitRunner {
  run(task: FitTask, signal: AbortSignal | undefined, onFit?: (time: FitTime) => void): Promise<readonly FitOutcome[]>;
}

/** What fitting one model took in one forecast. */
export interface FittedModel {
  readonly model: string;
  /** From the first fit to the end of the last, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** In fits alone, those in several threads added up. */
  readonly busyMs: number;
}

/** Runs `work` and says when it ran. */
export function timed<Result>(work: () => Result): { readonly result: Result; readonly time: FitTime } {
  const started = performance.now();
  const result = work();
  return { result, time: timeSince(started) };
}

export function timeSince(started: number): FitTime {
  return { startedAt: performance.timeOrigin + started, ms: performance.now() - started };
}

/** A runner for one forecast, and what the fits of each model have taken so far. */
export function timeFits(runner: TimedRunner): { readonly runner: FitRunner; readonly fitted: () => FittedModel[] } {
  const models = new Map<string, FittedModel>();
  const note = (model: string, { startedAt, ms }: FitTime): void => {
    const before = models.get(model) ?? { startedAt, endedAt: startedAt, busyMs: 0 };
    models.set(model, {
      model,
      startedAt: Math.min(before.startedAt, startedAt),
      endedAt: Math.max(before.endedAt, startedAt + ms),
      busyMs: before.busyMs + ms,
    });
  };
  return {
    runner: {
      models: runner.models,
      run: (task, signal) => runner.run(task, signal, (time) => note(task.model, time)),
    },
    fitted: () => [...models.values()],
  };
}
