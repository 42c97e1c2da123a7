import { POLL_MS, type Progress, watchForecast } from '../watch-forecast.ts';

/** What the page of an unfinished forecast contains for this script. */
export interface Watched {
  readonly id: string;
  readonly models: readonly string[];
}

/**
 * Shows the progress of a forecast as it happens. When the forecast ends, the page is loaded again, because the server
 * renders the result.
 */
export function watchProgress({ id, models }: Watched): void {
  const problem = document.querySelector<HTMLElement>('[data-stream-problem]');
  const hideProblem = () => problem?.setAttribute('hidden', '');
  const showProblem = () => problem?.removeAttribute('hidden');
  watchForecast(id, {
    onOpen: hideProblem,
    onProgress: (progress) => {
      hideProblem();
      if (progress !== null) showProgress(models, progress);
    },
    onEnd: () => location.reload(),
    onInterrupted: showProblem,
    onUnavailable: () => {
      // The page that is loaded again states the reason of a refusal.
      if ('EventSource' in window) showProblem();
      setTimeout(() => location.reload(), POLL_MS);
    },
  });
}

function showProgress(models: readonly string[], { completed_models: done, current_model: current }: Progress): void {
  const setText = (selector: string, text: string) => {
    const element = document.querySelector(selector);
    if (element !== null && element.textContent !== text) element.textContent = text;
  };
  setText('#progress', 'Fitting the models');
  setText(
    '[data-progress-words]',
    models.length === 1 ? 'The model is being fitted.' : `${done} of ${models.length} models are done.`,
  );
  const state = document.querySelector('[data-state]');
  if (state !== null) state.textContent = 'Running';
  const bar = document.querySelector<HTMLProgressElement>('[data-progress-bar]');
  if (bar !== null) bar.value = done;
  const first = current === null ? models.length : models.indexOf(current);
  for (const [index, model] of models.entries()) {
    const tag = document.querySelector(`[data-model="${CSS.escape(model)}"] [data-model-state]`);
    if (tag === null) continue;
    const isDone = index < first;
    tag.className = `tag ${isDone ? 'good' : 'info'}`;
    tag.textContent = isDone ? 'Done' : 'Running';
  }
}
