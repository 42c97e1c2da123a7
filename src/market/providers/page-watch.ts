import type { BarPage } from './provider.ts';
import { ProviderError } from './provider-error.ts';

const MAX_PAGES = 1_000;
const MAX_EMPTY_PAGES = 20;
const MAX_PAGES_WITHOUT_PROGRESS = 1;

/** Notices pages that lead nowhere, and throws PAGE_LOOP. */
export class PageWatch {
  readonly #provider: string;
  readonly #tokens = new Set<string>();
  #pages = 0;
  #emptyInARow = 0;
  #withoutProgress = 0;
  #oldest = Number.POSITIVE_INFINITY;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** @param oldest of the good bars of the page; other rows prove progress, but a wrong date must not become the mark. */
  see({ bars }: BarPage, token: string, oldest: number | undefined): void {
    this.#pages += 1;
    if (bars.length === 0) {
      this.#emptyInARow += 1;
    } else {
      this.#emptyInARow = 0;
      const isOlder = bars.some(({ timestamp }) => typeof timestamp === 'number' && timestamp < this.#oldest);
      this.#withoutProgress = isOlder ? 0 : this.#withoutProgress + 1;
    }
    this.#oldest = Math.min(this.#oldest, oldest ?? this.#oldest);
    const isLost =
      this.#tokens.has(token) ||
      this.#pages >= MAX_PAGES ||
      this.#emptyInARow > MAX_EMPTY_PAGES ||
      this.#withoutProgress > MAX_PAGES_WITHOUT_PROGRESS;
    if (isLost) throw new ProviderError(this.#provider, 'PAGE_LOOP');
    this.#tokens.add(token);
  }
}
