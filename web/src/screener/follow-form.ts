import { announce } from '../forecasts/fetch-page.ts';
import { describeFailure, drawFailure, readFailure } from '../new/failures.ts';
import { countDownRetries } from '../retry.ts';

/** How long the form waits after a key before it asks for the matches. */
const PAUSE_MS = 600;

/** The service answers a longer address as a form, so that a long list of symbols is not cut. */
const MAX_ADDRESS = 6000;

/**
 * Makes the preview follow the form. The service renders the same elements that the page began with, so that the words are
 * the same with and without a script.
 */
export function followForm(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let shown = stateOf(form);
  form.classList.add('live');

  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    running?.abort();
    const preview = document.getElementById('preview');
    const state = stateOf(form);
    if (state === shown) return void preview?.removeAttribute('aria-busy');
    const own = new AbortController();
    running = own;
    preview?.setAttribute('aria-busy', 'true');
    try {
      show(form, await readPart(form, state, own.signal));
      shown = state;
      const address = `${form.getAttribute('action')}?${state}`;
      if (address.length <= MAX_ADDRESS) history.replaceState(history.state, '', address);
    } catch (error) {
      if (own.signal.aborted) return;
      shown = '';
      const failure = describeFailure(error);
      const panel = document.getElementById('preview');
      panel?.removeAttribute('aria-busy');
      panel?.replaceChildren(...panel.querySelectorAll('h2'), drawFailure(failure, refresh, 'The preview'));
      if (panel) countDownRetries(panel);
      announce(`${failure.title}. ${failure.text}`);
      if (failure.retryAfter !== null) timer = setTimeout(refresh, failure.retryAfter * 1000);
    }
  };
  const later = (event: Event): void => {
    const target = event.target as HTMLInputElement;
    // Neither of them changes what matches.
    if (target.name === 'name' || target.name === 'email') return;
    clearTimeout(timer);
    timer = setTimeout(refresh, target instanceof HTMLSelectElement ? 0 : PAUSE_MS);
  };
  form.addEventListener('input', later);
  form.addEventListener('submit', (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    if (button?.value !== 'preview') return;
    // Enter in a field shows the matches without leaving it.
    event.preventDefault();
    void refresh();
  });
}

/** Returns the fields of the form as the parameters of its address, without fields that are empty. */
function stateOf(form: HTMLFormElement): string {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && (value !== '' || name.startsWith('field.'))) params.append(name, value);
  if (params.get('universe') === 'all') params.delete('symbols');
  return params.toString();
}

async function readPart(form: HTMLFormElement, state: string, signal: AbortSignal): Promise<Document> {
  const path = form.getAttribute('action') ?? '';
  const address = `${path}?${state}&part=preview`;
  const options = { signal, credentials: 'same-origin', headers: { accept: 'text/html' } } as const;
  const response =
    address.length <= MAX_ADDRESS
      ? await fetch(address, options)
      : await fetch(path, { ...options, method: 'POST', body: new URLSearchParams(`${state}&do=preview`) });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // A form that is not complete is a page with a preview that states what is missing.
  if (page.getElementById('preview') === null) throw readFailure(response, page);
  return page;
}

/** Exchanges the preview and what stands below the conditions. The fields and the focus stay where they are. */
function show(form: HTMLFormElement, page: Document): void {
  const next = page.getElementById('preview');
  if (next) document.getElementById('preview')?.replaceWith(next);
  for (const about of form.querySelectorAll('.about')) {
    const other = page.getElementById(about.id);
    if (other) about.replaceWith(other);
  }
  for (const label of form.querySelectorAll('.value label')) {
    const other = page.querySelector(`label[for="${label.getAttribute('for')}"]`);
    if (other) label.replaceChildren(...other.childNodes);
  }
  if (next) countDownRetries(next);
  const news = next?.querySelector('[data-news], h3');
  announce(news?.textContent?.replace(/\s+/g, ' ').trim() ?? '');
}
