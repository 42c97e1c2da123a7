import { Client } from 'pg';
import { type CurrentUrl, connectionOptions } from './connection-options.ts';
import { endIfSilent, KEEP_ALIVE } from './dead-peers.ts';

/** A connection outside of a pool. Disposal closes it. */
export interface SingleClient extends AsyncDisposable {
  readonly client: Client;
}

/** These connections send short statements at the start, and wait at most 10 seconds for a lock. */
const MAX_SILENCE_MS = 30_000;

export type Connect = () => Promise<SingleClient>;

/** Returns a function that opens connections to a server or a pooler. */
export function clientsOf(
  url: string,
  connectTimeoutMs: number,
  { name = 'almanac', currentUrl }: { readonly name?: string; readonly currentUrl?: CurrentUrl | undefined } = {},
): Connect {
  return async () => {
    const client = new Client({
      ...connectionOptions(url, currentUrl),
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      ...KEEP_ALIVE,
    });
    // Without this listener, a connection that breaks between two statements would end the process.
    client.on('error', () => undefined);
    await client.connect();
    endIfSilent(client, MAX_SILENCE_MS);
    return { client, [Symbol.asyncDispose]: () => client.end() };
  };
}
