// The script of the start page and the search page: results while one types, and arrow keys.

import { LiveSearch, type SearchPage } from './search/live-search.ts';
import { moveThroughResults } from './search/move-through.ts';

const page = findPage();
if (page !== null) start(page);

function findPage(): (SearchPage & { readonly form: HTMLFormElement }) | null {
  const form = document.querySelector<HTMLFormElement>('[data-live-search]');
  const field = form?.querySelector<HTMLInputElement>('[data-search]');
  const [count, results] = ['count', 'results'].map((id) => document.getElementById(id));
  if (!form || !field || !count || !results) return null;
  return { form, field, count, results, welcome: document.getElementById('welcome') };
}

function start({ form, ...page }: SearchPage & { readonly form: HTMLFormElement }): void {
  const { field, results, welcome } = page;
  const search = new LiveSearch(page);
  moveThroughResults(field, results);
  for (const hint of form.querySelectorAll<HTMLElement>('.for-keys')) hint.hidden = false;

  field.addEventListener('input', () => search.type());

  const ask = () => {
    const query = field.value.trim();
    const address = search.addressOf(query, false);
    history.pushState(null, '', address);
    void search.open(address, query, 'Asking the providers …');
  };

  form.addEventListener('submit', (event) => {
    // On the start page, a search is another page, so that Back returns to the start.
    if (welcome !== null) return;
    event.preventDefault();
    ask();
  });

  results.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('[data-ask]');
    if (link === null || welcome !== null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask();
    field.focus();
  });

  addEventListener('popstate', () => {
    // A link to a part of this page, such as the one to its main content, changes only the fragment.
    if (location.pathname + location.search === search.address) return;
    const query = new URLSearchParams(location.search).get('q') ?? '';
    field.value = query;
    void search.open(location.pathname + location.search, query.trim(), 'Searching …');
  });
}
