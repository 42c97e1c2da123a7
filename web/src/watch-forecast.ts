/** How far a forecast is. */
export interface Progress {
  readonly completed_models: number;
  readonly total_models: number;
  readonly current_model: string | null;
}

interface Watcher {
  /** Called when the forecast is queued (null) and when another model is done. */
  readonly onProgress: (progress: Progress | null) => void;
  /** Called once, when the forecast has ended. The stream is then closed. */
  readonly onEnd: (isCompleted: boolean) => void;
  /** Called when the connection is there, also after an interruption. */
  readonly onOpen?: () => void;
  /** Called when the connection is interrupted. The browser connects again. */
  readonly onInterrupted?: () => void;
  /** Called once if no events will come: the service refused them, or the browser cannot read them. */
  readonly onUnavailable: () => void;
}

/** A forecast whose events are read. */
export interface WatchedForecast {
  /** Stops reading events. */
  close(): void;
}

/** Browsers open six connections to a server; more streams would block everything else. */
export const MAX_STREAMS = 3;

/** How long a page without events waits before it reads a forecast again. */
export const POLL_MS = 5_000;

/** Reads the events of a forecast until it ends. */
export function watchForecast(id: string, watcher: Watcher): WatchedForecast {
  if (!('EventSource' in window)) {
    // Later, as with a refusal, so that the caller has the return value by then.
    const timer = setTimeout(watcher.onUnavailable);
    return { close: () => clearTimeout(timer) };
  }
  const source = new EventSource(eventsAddress(id));
  const end = (isCompleted: boolean) => {
    source.close();
    watcher.onEnd(isCompleted);
  };
  source.addEventListener('open', () => watcher.onOpen?.());
  for (const kind of ['queued', 'progress'])
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => watcher.onProgress(readProgress(data)));
  source.addEventListener('completed', () => end(true));
  source.addEventListener('failed', () => end(false));
  source.addEventListener('error', () => {
    // The browser connects again by its own rules, except after a refusal.
    if (source.readyState === EventSource.CLOSED) watcher.onUnavailable();
    else watcher.onInterrupted?.();
  });
  return source;
}

/** Returns the address of the events of a forecast. */
export function eventsAddress(id: string): string {
  return `/api/v1/ensemble-forecasts/${encodeURIComponent(id)}/events`;
}

/** Returns the progress that an event states, or null if it states none. */
export function readProgress(data: string): Progress | null {
  try {
    const { progress } = JSON.parse(data) as { readonly progress?: Partial<Progress> | null };
    if (!progress) return null;
    const { completed_models, total_models, current_model = null } = progress;
    if (typeof completed_models !== 'number' || typeof total_models !== 'number') return null;
    return { completed_models, total_models, current_model };
  } catch {
    return null;
  }
}
