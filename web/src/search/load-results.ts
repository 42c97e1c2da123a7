/** What the page of a search shows below its field. */
export interface LoadedResults {
  readonly title: string;
  /** The number of results as a sentence. */
  readonly count: readonly Node[];
  readonly results: DocumentFragment;
  /** Whether the service sent an error page instead. */
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
    count: Array.from(page.getElementById('count')?.childNodes ?? []),
    results,
    hasFailed: found === null,
    retryAfter,
  };
}

/** Returns the content of an error page as a panel below the field. */
function describeError(page: Document): Node[] {
  const panel = page.querySelector('.state-panel') ?? createPanel('Something went wrong', 'Reload the page.');
  const title = panel.querySelector('h1');
  if (title !== null) {
    // The page has its own title.
    title.replaceWith(createText('h2', title.textContent ?? ''));
  }
  return [panel];
}

/** Returns what is shown in a browser without a connection. */
export function describeOffline(): Node {
  return createPanel('No connection', 'The service cannot be reached. Check your connection, then search again.');
}

function createPanel(title: string, text: string): Element {
  const panel = document.createElement('div');
  panel.className = 'state-panel problem';
  panel.setAttribute('role', 'alert');
  panel.append(createText('h2', title), createText('p', text));
  return panel;
}

function createText(name: 'h2' | 'p', text: string): Element {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
