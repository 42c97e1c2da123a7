/** What the page of an unfinished forecast contains for this script. */
export interface Watched {
  readonly id: string;
  readonly status: 'queued' | 'running';
  readonly models: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

interface Progress {
  readonly completed_models: number;
  readonly current_model: string | null;
}

/**
 * Shows the progress of a forecast as it happens. When the forecast ends, the page is loaded again, because the server
 * renders the result.
 */
export function watchProgress({ id, models }: Watched): void {
  const source = new EventSource(`/api/v1/ensemble-forecasts/${encodeURIComponent(id)}/events`);
  const problem = document.querySelector<HTMLElement>('[data-stream-problem]');
  const hideProblem = () => problem?.setAttribute('hidden', '');
  source.addEventListener('open', hideProblem);
  source.addEventListener('progress', (event) => {
    hideProblem();
    const { progress } = JSON.parse((event as MessageEvent<string>).data) as { readonly progress: Progress };
    showProgress(models, progress);
  });
  const finish = () => {
    source.close();
    location.reload();
  };
  source.addEventListener('completed', finish);
  source.addEventListener('failed', finish);
  source.addEventListener('error', () => {
    problem?.removeAttribute('hidden');
    // The browser reconnects by its own rules, except after a refusal. The page then states the reason.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RELOAD_MS);
  });
}

const RELOAD_MS = 5_000;

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
