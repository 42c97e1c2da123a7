import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface InFlight {
  /** Sends the rest of the body and reads the whole response. */
  finish(): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>;
}

/** Opens a request that the service has begun to handle (it sent "100 Continue") and whose last bytes are not sent yet. */
export async function requestInFlight(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<InFlight> {
  const bytes = JSON.stringify(body);
  const outgoing = request(`${url}${path}`, {
    method: 'POST',
    // Keeps the connection open after the response, like a browser.
    agent: new Agent({ keepAlive: true }),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(bytes),
      expect: '100-continue',
      ...headers,
    },
  });
  const answer = Promise.withResolvers<Awaited<ReturnType<InFlight['finish']>>>();
  outgoing.on('error', answer.reject);
  outgoing.on('response', async (response) => {
    const { statusCode: status = 0, headers: received } = response;
    answer.resolve(text(response).then((whole) => ({ status, headers: received, body: whole })));
  });
  const continued = new Promise<void>((resolve) => outgoing.once('continue', resolve));
  outgoing.flushHeaders();
  await Promise.race([continued, answer.promise]);
  outgoing.write(bytes.slice(0, 5));
  return {
    finish: () => {
      outgoing.end(bytes.slice(5));
      return answer.promise;
    },
  };
}
