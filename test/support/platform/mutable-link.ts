import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a PostgreSQL server. */
export interface MutableLink extends AsyncDisposable {
  /** The address of a database through the proxy, for its address on the server. */
  urlOf(databaseUrl: string): string;
  /** Connections that are open stay silent from now on, and are not closed. New ones work. */
  mute(): void;
  /** Closes the connections that are silent. */
  closeMuted(): void;
}

/** Starts a proxy that can silence connections, as when the machine of the server vanishes. */
export async function startMutableLink(databaseUrl: string): Promise<MutableLink> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const muted = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port) || 5432, hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          to.destroy();
          sockets.delete(from);
        });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    urlOf(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return changed.href;
    },
    mute() {
      for (const socket of sockets) muted.add(socket.unpipe());
    },
    closeMuted() {
      for (const socket of muted) socket.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
