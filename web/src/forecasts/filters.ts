import { showLocalTimes } from '../local-time.ts';
import { announce, fetchPage } from './fetch-page.ts';

/** Long enough that a word is typed without a request for each letter. */
const TYPING_MS = 300;

/**
 * Applies the filters whenever one changes, without leaving the page: the form and its focus stay where they are.
 *
 * @param onShown called after the results were exchanged
 */
export function watchFilters(results: HTMLElement, onShown: () => void): void {
  const form = document.getElementById('filters');
  if (!(form instanceof HTMLFormElement)) return;
  form.classList.add('live');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  const apply = async (): Promise<void> => {
    clearTimeout(timer);
    running?.abort();
    const own = new AbortController();
    running = own;
    const address = addressOf(form);
    results.setAttribute('aria-busy', 'true');
    try {
      const page = await fetchPage(address, own.signal);
      show(page, results);
      history.replaceState(history.state, '', address);
      onShown();
    } catch (error) {
      if (own.signal.aborted) return;
      showProblem(results, error);
    }
    if (running === own) results.removeAttribute('aria-busy');
  };
  form.addEventListener('input', (event) => {
    clearTimeout(timer);
    const isTyped = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
    timer = setTimeout(apply, isTyped ? TYPING_MS : 0);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void apply();
  });
}

/** Returns the address that the form would open, without fields that are empty. */
function addressOf(form: HTMLFormElement): string {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') params.append(name, value);
  const query = params.toString();
  return `${new URL(form.action).pathname}${query === '' ? '' : `?${query}`}`;
}

/** Exchanges the results, the errors and the link that resets the filters by those of another page. */
function show(page: Document, results: HTMLElement): void {
  const next = page.getElementById('results');
  if (next === null) {
    showErrorPage(page, results);
    return;
  }
  results.replaceChildren(...next.childNodes);
  document.getElementById('errors')?.replaceChildren(...(page.getElementById('errors')?.childNodes ?? []));
  const [reset, nextReset] = [document.getElementById('reset'), page.getElementById('reset')];
  if (reset && nextReset) reset.hidden = nextReset.hidden;
  showFieldErrors(page);
  showLocalTimes(results);
  announce(results.querySelector('[data-found], .lead, h2')?.textContent ?? 'The filters of the page are not valid.');
}

/** Marks the fields that the other page marks, and removes the marks of the others. */
function showFieldErrors(page: Document): void {
  for (const field of document.querySelectorAll('#filters :is(input, select)')) {
    const other = page.getElementById(field.id);
    document.getElementById(`${field.id}-error`)?.remove();
    const error = page.getElementById(`${field.id}-error`);
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = other?.getAttribute(name);
      if (value) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
    if (error) field.parentElement?.append(error);
  }
}

/** Shows what a page without results explains, such as a rate limit, in the place of the results. */
function showErrorPage(page: Document, results: HTMLElement): void {
  const panel = page.querySelector('main > :is(.state-panel, .card)') ?? page.querySelector('main');
  const title = panel?.querySelector('h1');
  if (!panel || !title) throw new Error('The service sent a page that this script cannot read.');
  // The page already has its first heading.
  const heading = document.createElement('h2');
  heading.textContent = title.textContent;
  title.replaceWith(heading);
  results.replaceChildren(panel);
}

function showProblem(results: HTMLElement, error: unknown): void {
  const panel = document.createElement('div');
  panel.className = 'state-panel problem';
  panel.setAttribute('role', 'alert');
  const heading = document.createElement('h2');
  const text = document.createElement('p');
  const isOffline = error instanceof TypeError;
  heading.textContent = isOffline ? 'No connection' : 'Something went wrong';
  text.textContent = isOffline
    ? 'The service cannot be reached. Check your connection and change a filter to try again.'
    : 'The service sent a response that this page cannot read. Reload the page.';
  panel.append(heading, text);
  results.replaceChildren(panel);
}
