import { countDownRetries } from '../retry.ts';
import { describeOffline, type LoadedResults, loadResults } from './load-results.ts';

/** The parts of a page with a search field. */
export interface SearchPage {
  readonly field: HTMLInputElement;
  readonly count: HTMLElement;
  readonly results: HTMLElement;
  /** What the start page shows while nothing is searched; null on the search page. */
  readonly welcome: HTMLElement | null;
}

/** A pause in typing after which the listings are searched. */
const PAUSE_MS = 160;

/** Shows the results of a page below the field as the query changes. */
export class LiveSearch {
  readonly #page: SearchPage;
  readonly #home = { title: document.title, address: location.pathname };
  #timer: number | undefined;
  #running: AbortController | undefined;
  /** The first request makes the guest session. If it were aborted, the browser would lose its cookie. */
  #first: Promise<unknown> | undefined;
  #pausedUntil = 0;
  #shown = '';
  #address = location.pathname + location.search;

  constructor(page: SearchPage) {
    this.#page = page;
    this.#shown = page.field.value.trim();
  }

  /** The path and query of the page when its results were last read. */
  get address(): string {
    return this.#address;
  }

  /** Searches the listings after a pause in typing. */
  type(): void {
    clearTimeout(this.#timer);
    const wait = Math.max(PAUSE_MS, this.#pausedUntil - Date.now());
    this.#timer = window.setTimeout(() => {
      const query = this.#page.field.value.trim();
      if (query === this.#shown) return;
      const address = this.addressOf(query, true);
      history.replaceState(null, '', query === '' ? this.#home.address : address);
      void this.open(address, query, 'Searching …');
    }, wait);
  }

  /** Returns the address of a search. */
  addressOf(query: string, isLocal: boolean): string {
    const params = new URLSearchParams(location.search);
    for (const name of ['q', 'local', 'cursor']) params.delete(name);
    if (query !== '') params.set('q', query);
    if (query !== '' && isLocal) params.set('local', '1');
    return params.size === 0 ? '/search' : `/search?${params}`;
  }

  /** Reads the page of a search and shows its results. What is shown stays until they are there. */
  async open(address: string, query: string, waiting: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { count, results, welcome } = this.#page;
    this.#shown = query;
    this.#address = location.pathname + location.search;
    if (query === '' && welcome !== null) return this.#showWelcome();
    results.setAttribute('aria-busy', 'true');
    if (results.childElementCount === 0 || !address.includes('local=1')) count.textContent = waiting;
    await this.#first?.catch(() => {});
    if (running.signal.aborted) return;
    const isFirst = this.#first === undefined;
    const loading = loadResults(address, isFirst ? null : running.signal);
    this.#first ??= loading;
    try {
      const loaded = await loading;
      if (!running.signal.aborted) this.#show(loaded, query);
    } catch {
      if (running.signal.aborted) return;
      this.#shown = '';
      results.replaceChildren(describeOffline());
      count.textContent = '';
    }
    if (!running.signal.aborted) results.removeAttribute('aria-busy');
  }

  #show({ title, count, results, hasFailed, retryAfter }: LoadedResults, query: string): void {
    const { welcome } = this.#page;
    document.title = title;
    this.#page.count.replaceChildren(...count);
    this.#page.results.replaceChildren(results);
    countDownRetries(this.#page.results);
    if (welcome !== null) welcome.hidden = query !== '';
    if (hasFailed) this.#shown = '';
    if (retryAfter !== null) this.#pausedUntil = Date.now() + retryAfter * 1000;
  }

  #showWelcome(): void {
    const { count, results, welcome } = this.#page;
    document.title = this.#home.title;
    count.textContent = '';
    results.replaceChildren();
    results.removeAttribute('aria-busy');
    if (welcome !== null) welcome.hidden = false;
  }
}
