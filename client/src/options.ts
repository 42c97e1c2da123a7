/** The part of the standard `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Settings of a client. */
export interface AlmanacOptions {
  /** The address of the service, such as `https://almanac.example`. */
  readonly url: string;
  /**
   * An API key or an access token. A function is called before every attempt, so that it can return a fresh token.
   * Without a key, only what the service allows to anyone can be read.
   */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The time limit of one attempt in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again after a temporary failure. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** The pause before the first repetition in milliseconds, which doubles with each further one. Default: 500. */
  readonly retryDelayMs?: number | undefined;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /**
   * The key of an operation that creates a forecast. Default: a random one for each call, which all attempts share. Set it
   * to repeat a call safely even after the program was started again.
   */
  readonly idempotencyKey?: string | undefined;
  /** The ETag of the version to change or delete. If the object has changed since, the call fails with 412. */
  readonly ifMatch?: string | undefined;
  /** More request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The settings of a client after they were checked. */
export interface Settings {
  readonly baseUrl: string;
  readonly readKey: () => Promise<string | null>;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Checks the settings of a client. Throws a TypeError that names the field. */
export function readSettings(options: AlmanacOptions): Settings {
  const { key } = options;
  if (typeof key === 'string') checkKey(key);
  return {
    baseUrl: readBaseUrl(options.url),
    readKey: async () => (typeof key === 'function' ? checkKey(await key()) : (key ?? null)),
    // Some runtimes refuse a `fetch` that is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? 60_000, 1, MAX_TIMER_MS),
    maxRetries: readCount('maxRetries', options.maxRetries ?? 3, 0, 100),
    retryDelayMs: readCount('retryDelayMs', options.retryDelayMs ?? 500, 0, 60_000),
  };
}

/** Returns the settings of one call. */
export function applyOptions(settings: Settings, { timeoutMs, maxRetries }: CallOptions): Settings {
  return {
    ...settings,
    timeoutMs: readCount('timeoutMs', timeoutMs ?? settings.timeoutMs, 1, MAX_TIMER_MS),
    maxRetries: readCount('maxRetries', maxRetries ?? settings.maxRetries, 0, 100),
  };
}

function readBaseUrl(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new TypeError('url: is not an address. Pass the address of the service, such as https://almanac.example.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('url: must start with https or http.');
  if (url.username !== '' || url.password !== '') throw new TypeError('url: must not contain a password. Pass `key`.');
  if (url.search !== '' || url.hash !== '') throw new TypeError('url: must not have a query or a fragment.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api`;
}

/** The message does not contain the key, because messages are often logged. */
function checkKey(key: unknown): string {
  if (typeof key === 'string' && /^[!-~]+$/.test(key)) return key;
  throw new TypeError('key: must be a text of visible ASCII characters without spaces.');
}

function readCount(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name}: must be a whole number from ${min} to ${max}.`);
}
