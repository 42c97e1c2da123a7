import { countDownRetries } from '../retry.ts';
import { describeFailure, drawFailure, readFailure } from './failures.ts';
import { showRefusals } from './show-refusals.ts';

/** How long the form waits after a key before it asks for the cost. */
const PAUSE_MS = 500;

/**
 * Makes the cost follow the choices. The server renders the same element that the page began with, so that the words are
 * the same with and without a script.
 */
export function followCost(form: HTMLFormElement): void {
  const news = form.querySelector('[data-news]');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: AbortController | undefined;
  let shown = addressOf(form);

  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    const address = addressOf(form);
    asked?.abort();
    const cost = form.querySelector('#cost');
    if (address === shown) {
      if (cost?.hasAttribute('aria-busy')) title(cost, 'What it costs');
      cost?.removeAttribute('aria-busy');
      return;
    }
    asked = new AbortController();
    cost?.setAttribute('aria-busy', 'true');
    title(cost, 'Reading the cost…');
    try {
      const page = await read(`${address}&part=cost&period=${form.dataset.new}`, asked.signal);
      const next = page.querySelector('#cost');
      if (next === null) throw new Error('The response has no cost.');
      cost?.replaceWith(next);
      showRefusals(form, page);
      showSuggestion(form, page);
      announce(next);
      shown = address;
      history.replaceState(history.state, '', address);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      cost?.removeAttribute('aria-busy');
      title(cost, 'What it costs');
      showFailure(error);
    }
  };
  const announce = (cost: Element): void => {
    const figure = cost.querySelector('.figure, .note, .state-panel');
    if (news) news.textContent = figure?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  };
  const showFailure = (error: unknown): void => {
    const failure = describeFailure(error);
    // The cost of earlier choices would look like that of the present ones.
    shown = '';
    const cost = form.querySelector('#cost');
    const heading = cost?.querySelector('h2');
    cost?.replaceChildren(...(heading ? [heading] : []), drawFailure(failure, refresh));
    if (cost) countDownRetries(cost);
    if (news) news.textContent = `${failure.title}. ${failure.text}`;
    if (failure.retryAfter !== null) timer = setTimeout(refresh, failure.retryAfter * 1000);
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE_MS);
  };

  form.addEventListener('input', later);
  form.addEventListener('change', later);
  form.addEventListener('submit', (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    if (button?.hasAttribute('data-create')) return;
    event.preventDefault();
    if (button?.name === 'suggest') choose(form, button.value);
    void refresh();
  });
  // Without a script, this button is how to see the cost.
  for (const button of form.querySelectorAll<HTMLElement>('[data-estimate]')) button.hidden = true;
  markHorizon(form);
  form.addEventListener('input', () => markHorizon(form));
  showWeights(form);
  form.addEventListener('change', () => showWeights(form));
}

function title(cost: Element | null, text: string): void {
  const heading = cost?.querySelector('h2');
  if (heading) heading.textContent = text;
}

async function read(address: string, signal: AbortSignal): Promise<Document> {
  const response = await fetch(address, { signal, credentials: 'same-origin', headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (!response.ok) throw readFailure(response, page);
  return page;
}

/** The fields that the service fills in, so that an empty one is a choice. */
const KEPT_EMPTY = ['title', 'workspace_id'];

/**
 * Returns the address of the form with its choices, without other fields that are empty. A title that was only suggested
 * follows the series.
 */
function addressOf(form: HTMLFormElement): string {
  const params = new URLSearchParams();
  const data = new FormData(form);
  const suggested = data.get('suggested_title');
  data.delete('suggested_title');
  if (suggested === data.get('title')) data.delete('title');
  for (const [name, value] of data) if (value !== '' || KEPT_EMPTY.includes(name)) params.append(name, String(value));
  return `/new?${params}`;
}

/** Shows the title that the service suggests for the chosen series, unless the visitor typed or cleared one. */
function showSuggestion(form: HTMLFormElement, page: Document): void {
  const text = page.getElementById('suggested')?.textContent;
  const next: string | null = text ? JSON.parse(text) : null;
  const [title, suggested] = ['title', 'suggested_title'].map((name) => form.elements.namedItem(name));
  if (next === null || !(title instanceof HTMLInputElement) || !(suggested instanceof HTMLInputElement)) return;
  if (title.value === suggested.value) title.value = next;
  suggested.value = next;
}

function choose(form: HTMLFormElement, horizon: string): void {
  const field = form.elements.namedItem('horizon');
  if (!(field instanceof HTMLInputElement)) return;
  field.value = horizon;
  markHorizon(form);
}

/** Marks the suggested horizon that is chosen. */
function markHorizon(form: HTMLFormElement): void {
  const field = form.elements.namedItem('horizon');
  if (!(field instanceof HTMLInputElement)) return;
  for (const button of form.querySelectorAll<HTMLButtonElement>('[name="suggest"]'))
    button.ariaPressed = String(button.value === field.value.trim());
}

/** Shows the fields of typed weights only if the weights are typed. */
function showWeights(form: HTMLFormElement): void {
  const mode = form.elements.namedItem('weight_mode');
  const isManual = mode instanceof HTMLSelectElement && mode.value === 'manual';
  for (const element of form.querySelectorAll<HTMLElement>('[data-manual]')) element.hidden = !isManual;
}
