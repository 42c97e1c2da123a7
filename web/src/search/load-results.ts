/** What the page of a search shows below its field. */
export interface LoadedResults {
  readonly title: string;
  /** The number of results as a sentence. */
  readonly count: string;
  readonly results: DocumentFragment;
  /** The address that the service answered, after redirects. */
  readonly hasFailed: boolean;
  /** Seconds after which a repetition can succeed. */
  readonly retryAfter: number | null;
}

/**
 * Reads the page of a search and returns its results. The service renders them for readers without a script; taking them
 * from there means that both always see the same.
 */
export async function loadResults(address: string, signal: AbortSignal | null): Promise<LoadedResults> {
  const response = await fetch(address, { credentials: 'same-origin', headers: { accept: 'text/html' }, signal });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const found = page.getElementById('results');
  const results = document.createDocumentFragment();
  results.append(...(found === null ? describeError(page) : Array.from(found.childNodes)));
  const retryAfter = Number(response.headers.get('retry-after')) || null;
  return {
    title: page.title,
    count: page.getElementById('count')?.textContent?.trim() ?? '',
    results,
    hasFailed: found === null,
    retryAfter,
  };
}

/** Returns the content of an error page as a panel below the field. */
function describeError(page: Document): Node[] {
  const panel = document.createElement('div');
  panel.className = 'state-panel problem';
  panel.setAttribute('role', 'alert');
  const title = document.createElement('h2');
  title.textContent = page.querySelector('main h1')?.textContent ?? 'Something went wrong';
  const texts = Array.from(page.querySelectorAll('main p:not(.actions)'), ({ textContent }) => {
    const text = document.createElement('p');
    text.textContent = textContent;
    return text;
  });
  panel.append(title, ...texts);
  return [panel];
}

/** Returns the panel for a browser without a connection. */
export function describeOffline(): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const page = new DOMParser().parseFromString(
    '<main><h1>No connection</h1><p>The service cannot be reached. Check your connection and type again.</p></main>',
    'text/html',
  );
  fragment.append(...describeError(page));
  return fragment;
}
