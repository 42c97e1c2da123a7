import { type Html, html } from '../../html.ts';

interface SearchForm {
  readonly query: string;
  /** The kind that stays chosen. */
  readonly type?: string | null;
  /** What is wrong with the query. */
  readonly error?: string | undefined;
  /** Whether the field has the focus when the page opens. */
  readonly hasFocus?: boolean;
}

/** Renders the search field of a page. It works without a script; the script "search" makes it answer while typing. */
export function renderSearchForm({ query, type = null, error, hasFocus = false }: SearchForm): Html {
  const described = error === undefined ? 'q-keys' : 'q-error q-keys';
  return html`<form class="search-box" role="search" method="get" action="/search" data-live-search>
<label for="q">Search markets and series</label>
<div class="with-button">
<input id="q" name="q" type="search" autocomplete="off" spellcheck="false" autocapitalize="none" enterkeyhint="search" maxlength="500" placeholder="Apple, inflation, euro dollar …" value="${query}" aria-describedby="${described}"${
    error !== undefined && html` aria-invalid="true"`
  }${hasFocus && html` autofocus`} data-search>
<button>Search</button>
</div>
${type !== null && html`<input type="hidden" name="type" value="${type}">`}
${error !== undefined && html`<p class="error" id="q-error">${error}</p>`}
<p class="keys" id="q-keys">Names, symbols and topics; typing errors are fine.<span class="for-keys" hidden> <kbd>/</kbd> to type, <kbd>↓</kbd> for the results, <kbd>Enter</kbd> to ask the providers.</span></p>
</form>`;
}
