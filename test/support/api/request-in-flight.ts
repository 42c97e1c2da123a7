import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface InFlight {
  /** Sends the rest of the body and reads the answer to its end. */
  finish(): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>;
}

/** A request that the service has begun to handle (it said "100 Continue") and whose last bytes are still to come. */
export async function requestInFlight(url: string, path: string, body: object): Promise<InFlight> {
  const bytes = JSON.stringify(body);
  const outgoing = request(`${url}${path}`, {
    method: 'POST',
    // As a browser does: keep the connection after the answer.
    agent: new Agent({ keepAlive: true }),
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes), expect: '100-continue' },
  });
  const answer = Promise.withResolvers<Awaited<ReturnType<InFlight['finish']>>>();
  outgoing.on('error', answer.reject);
  outgoing.on('response', async (response) => {
    const { statusCode = 0, headers } = response;
    answer.resolve(text(response).then((whole) => ({ status: statusCode, headers, body: whole })));
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
