import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, uniformBetween } from '../../support/platform/seeded-random.ts';

/** What a proxy does with each chunk of bytes. */
export interface Disturbance {
  /** The range of delays. */
  readonly delayMs: readonly [number, number];
  /** The share of chunks from which on the bytes of a connection are lost. It is reset some seconds later. */
  readonly loss: number;
}

/** A TCP proxy in front of a server, which can delay and lose bytes. It listens on a free port. */
export interface FaultyLink {
  readonly port: number;
  /** null: pass bytes unchanged */
  disturb(disturbance: Disturbance | null): void;
  close(): void;
}

const STALL_MS = [1_000, 8_000] as const;

export async function startFaultyLink(
  listenAddress: string,
  target: { readonly host: string; readonly port: number },
  random: Random,
): Promise<FaultyLink> {
  let current: Disturbance | null = null;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 5_000 }, (client) => {
    const upstream = connect({ ...target, noDelay: true, keepAlive: true, keepAliveInitialDelay: 5_000 });
    for (const socket of [client, upstream]) sockets.add(socket.once('close', () => sockets.delete(socket)));
    const link = { isStalled: false };
    const reset = () => {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    client
      .on('error', reset)
      .on('end', () => upstream.end())
      .on('close', () => upstream.end());
    upstream
      .on('error', reset)
      .on('end', () => client.end())
      .on('close', () => client.end());
    const pass = async (chunk: Buffer, from: Socket, to: Socket): Promise<void> => {
      if (link.isStalled) return;
      const disturbance = current;
      if (disturbance !== null) {
        from.pause();
        await sleep(uniformBetween(random, ...disturbance.delayMs));
        from.resume();
        if (link.isStalled) return;
        if (random() < disturbance.loss) {
          // TCP sends lost bytes again. What a program sees of a loss that lasts is silence, and then a reset.
          link.isStalled = true;
          await sleep(uniformBetween(random, ...STALL_MS));
          reset();
          return;
        }
      }
      if (!to.destroyed && !to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    client.on('data', (chunk) => void pass(chunk, client, upstream));
    upstream.on('data', (chunk) => void pass(chunk, upstream, client));
  });
  server.listen(0, listenAddress);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    disturb(disturbance) {
      current = disturbance;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
