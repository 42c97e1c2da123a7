import type { Fetch } from '../../client/src/index.ts';

/** A request as the client sent it. */
export interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** Returns a reply, or throws as `fetch` does when a connection fails. */
export type Answer = (request: SentRequest) => Response | Promise<Response>;

/** Returns a `fetch` that gives one answer after the other, the last one again and again, and the requests so far. */
export function scriptFetch(...answers: readonly Answer[]): { readonly fetch: Fetch; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = {
      url: new URL(url),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: init.body,
      signal: init.signal as AbortSignal,
    };
    sent.push(request);
    request.signal.throwIfAborted();
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer === undefined) throw new Error('The test has no answer.');
    return answer(request);
  };
  return { fetch, sent };
}

export const data =
  (value: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ data: value, meta: { api_version: 'v1' } }, { headers });

export const failure =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ error: { code, message: `The message of ${code}.`, request_id: 'the-id' } }, { status, headers });

export const disconnect: Answer = () => {
  throw new TypeError('fetch failed');
};

/** Never replies; fails when the client aborts. */
export const hang: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** Returns a stream of server-sent events from its parts. */
export const stream =
  (...parts: readonly string[]): Answer =>
  () =>
    new Response(new Blob([parts.join('')]).stream(), { headers: { 'content-type': 'text/event-stream' } });

export const event = (id: number, kind: string, fields: object = { status: kind }) =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(fields)}\n\n`;
