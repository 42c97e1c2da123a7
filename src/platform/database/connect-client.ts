import { Client } from 'pg';

/** A connection outside of a pool. Disposal closes it. */
export interface SingleClient extends AsyncDisposable {
  readonly client: Client;
}

export type Connect = () => Promise<SingleClient>;

/** Returns a function that opens connections to a server or a pooler. */
export function clientsOf(url: string, connectTimeoutMs: number, name = 'almanac'): Connect {
  return async () => {
    const client = new Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
    });
    // Without this listener, a connection that breaks between two statements would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return { client, [Symbol.asyncDispose]: () => client.end() };
  };
}
