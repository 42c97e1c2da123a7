/** A response that is an error page. */
class PageFailure extends Error {
  readonly retryAfter: number | null;

  constructor(message: string, retryAfter: number | null) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** Returns the failure that an error page describes. */
export function readFailure(response: Response, page: Document): Error {
  const text = page.querySelector('[role="alert"]')?.textContent?.replace(/\s+/g, ' ').trim();
  return new PageFailure(text || 'The cost could not be read.', Number(response.headers.get('retry-after')) || null);
}

/** Returns a failure in words, and when to try again; null if the next change of the form is soon enough. */
export function formatProblem(error: unknown): { readonly text: string; readonly retryMs: number | null } {
  if (error instanceof PageFailure) {
    const { message, retryAfter } = error;
    if (retryAfter === null) return { text: message, retryMs: null };
    return { text: `${message} The cost is read again in ${retryAfter} s.`, retryMs: retryAfter * 1000 };
  }
  return { text: 'The service cannot be reached. Your choices stay here; check your connection.', retryMs: 5_000 };
}
