import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../config/config-error.ts';
import type { ListenAddress } from '../config/telemetry.ts';
import type { Prometheus } from './prometheus.ts';

export interface MetricsListener {
  /** The URL of the page. */
  readonly url: string;
  close(): Promise<void>;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Serves the metrics page on a separate listener, so that a proxy in front of the service cannot expose it by mistake.
 */
export async function serveMetrics(prometheus: Prometheus, address: ListenAddress): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    respond(prometheus, request, response).catch(() => response.destroy());
  });
  // A legitimate reader needs far fewer connections.
  server.maxConnections = 50;
  try {
    server.listen({ host: (await lookup(address.host)).address, port: address.port });
    await once(server, 'listening');
  } catch (error) {
    throw explainListenError(error, address);
  }
  const { address: host, port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(prometheus: Prometheus, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?')[0];
  if (path !== '/metrics') return end(response, 404, 'The metrics are at /metrics.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return end(response, 405, 'Use GET for this address.\n');
  }
  const { type, text } = await prometheus.page();
  end(response, 200, text, type);
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function explainListenError(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const problem = PROBLEMS[code ?? ''];
  return problem === undefined ? error : new ConfigError(`ALMANAC_METRICS ${host}:${port} ${problem}`);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use. Stop the other listener or set another port.',
  EADDRNOTAVAIL: 'is not an address of this machine.',
  ENOTFOUND: 'is not an address of this machine.',
  EAI_AGAIN: 'is not an address of this machine.',
  EACCES: 'requires more privileges. Set a port above 1023.',
};
