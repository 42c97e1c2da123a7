import { connect } from 'node:net';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly connections: number;
  readonly requests: number;
  /** The body size that every response must have. */
  readonly bodyBytes: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** Milliseconds, ascending. */
  readonly latencies: Float64Array;
}

/**
 * Sends requests over open connections, one at a time on each. Uses bare sockets, so that the client is not the
 * bottleneck.
 */
export async function load(options: Load): Promise<LoadResult> {
  const { connections, requests, path, key, port } = options;
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`;
  const latencies = new Float64Array(requests);
  const state = { sent: 0, done: 0 };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, () => converse(options, request, state, latencies)));
  return { seconds: (performance.now() - began) / 1000, latencies: latencies.sort() };
}

function converse(
  { port, requests, bodyBytes }: Load,
  request: string,
  state: { sent: number; done: number },
  latencies: Float64Array,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    let received = '';
    let sentAt = 0;
    const next = (): void => {
      if (state.sent >= requests) {
        socket.end();
        resolve();
        return;
      }
      state.sent += 1;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1 || received.length < headEnd + 4 + bodyBytes) return;
      if (!received.startsWith('HTTP/1.1 200') || received.length !== headEnd + 4 + bodyBytes) {
        socket.destroy();
        reject(new Error(`unexpected response: ${received.slice(0, 500)}`));
        return;
      }
      received = '';
      latencies[state.done] = performance.now() - sentAt;
      state.done += 1;
      next();
    });
    socket.on('connect', next).on('error', reject);
  });
}
