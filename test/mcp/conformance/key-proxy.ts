import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy on loopback. */
export interface KeyProxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts a proxy that adds an API key to each request, because the suite cannot send credentials. */
export async function startKeyProxy(target: { readonly port: number; readonly key: string }): Promise<KeyProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const own = `:${(server.address() as AddressInfo).port}`;
    // To the suite, the proxy is the service, so its origin becomes that of the service. Other origins stay.
    const origin = headers.origin?.endsWith(own) ? headers.origin.replace(own, `:${target.port}`) : headers.origin;
    const forwarded = request(
      {
        host: '127.0.0.1',
        port: target.port,
        method,
        path,
        headers: { ...headers, ...(origin !== undefined && { origin }), authorization: `Bearer ${target.key}` },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
