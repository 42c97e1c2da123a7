/** An error that the API returned, or a network failure. */
export class ApiError extends Error {
  readonly code: string;
  /** Seconds after which a repetition can succeed; null if the response does not state it. */
  readonly retryAfter: number | null;

  constructor(code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

interface Options {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

let guest: Promise<void> | undefined;

/** Makes a guest session. Requests that need one at the same time share it. */
function becomeGuest(): Promise<void> {
  guest ??= request('/v1/guest-sessions', { method: 'POST' })
    .then((created) => read<void>(created))
    .then(() => delete document.documentElement.dataset.newcomer)
    .then(() => undefined)
    .finally(() => {
      guest = undefined;
    });
  return guest;
}

/**
 * Sends a request to the API with the cookies of the browser. A visitor without an identity becomes a guest first, as in
 * the pages without a script. The page states whether it was made for one.
 *
 * @param path relative to the base path, such as /v1/market-search
 */
export async function callApi<Data>(path: string, options: Options = {}): Promise<Data> {
  if (globalThis.document?.documentElement.dataset.newcomer !== undefined) await becomeGuest();
  const response = await request(path, options);
  if (response.status !== 401) return read<Data>(response);
  await becomeGuest();
  return read<Data>(await request(path, options));
}

async function request(path: string, { method = 'GET', body, headers, signal }: Options): Promise<Response> {
  try {
    return await fetch(`/api${path}`, {
      method,
      credentials: 'same-origin',
      ...(signal && { signal }),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('OFFLINE', 'The service cannot be reached. Check your connection and try again.');
  }
}

/** Returns the data of a response in either envelope. */
async function read<Data>(response: Response): Promise<Data> {
  const text = await response.text();
  let json: { data?: unknown; ok?: boolean; error?: unknown; message?: string };
  try {
    json = JSON.parse(text);
  } catch {
    throw new ApiError('UNREADABLE', 'The service sent a response that this page cannot read. Reload the page.');
  }
  if (response.ok) return ('data' in json ? json.data : json) as Data;
  const retryAfter = Number(response.headers.get('retry-after')) || null;
  const error = json.error as string | { code: string; message: string };
  if (typeof error === 'string') throw new ApiError(error, json.message ?? error, retryAfter);
  throw new ApiError(error.code, error.message, retryAfter);
}
