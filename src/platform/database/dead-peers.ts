import { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/**
 * The settings of a connection with which the operating system finds out within 20 seconds that the other machine has
 * vanished while this one waits for it. The default of Linux is two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * Ends a connection on which nothing was sent or received for a while. If the other machine vanished before it confirmed a
 * statement, the operating system sends the statement again for a quarter of an hour instead of checking whether the machine
 * is there.
 *
 * @param maxMs longer than any statement takes on the connection
 */
export function endIfSilent(client: ClientBase, maxMs: number): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.setTimeout(maxMs, () => {
    const error = new Error(`Connection terminated: the database has not responded for ${maxMs / 1_000} s`);
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  });
}

/** How long connections may take to end when they are closed. */
const CLOSING_MS = 1_000;

/** The sockets of some connections, so that these can be closed although the other machine has vanished. */
export class OpenSockets {
  readonly #open = new Set<Socket>();

  /** Creates the socket of a connection: the option `stream` of pg. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    return socket.once('close', () => this.#open.delete(socket));
  };

  /** Runs `close`, which closes the connections, and destroys those that do not end soon. */
  async closeWith(close: () => Promise<void>): Promise<void> {
    // More than once, because what is cut off may connect again before it learns that it has to stop.
    const timer = setInterval(() => {
      for (const socket of this.#open) socket.destroy();
    }, CLOSING_MS);
    try {
      await close();
    } finally {
      clearInterval(timer);
    }
  }
}
