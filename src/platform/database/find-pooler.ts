import type { ClientBase } from 'pg';
import type { Connect } from './connect-client.ts';

/** How often two clients are compared. Other clients of a pooler can hide that it shares its connections. */
const ROUNDS = 3;

/**
 * Returns whether the client is connected to a pooler that gives each transaction, or each statement, any of its
 * connections. Session settings and LISTEN do not work there. A pooler in session mode gives a client one connection.
 *
 * @param connect opens another client to the same address
 */
export async function sharesConnections(client: ClientBase, connect: Connect): Promise<boolean> {
  const own = await readProcessId(client);
  // A server names its own process to the client. A pooler names a number of its own, because it does not yet know to
  // which process it will send the client's statements.
  if (own === (client as unknown as { readonly processID: unknown }).processID) return false;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isGivenToAnother(client, own, connect)) return true;
  }
  return false;
}

/** Returns whether a second client gets the process of the first, or the first another one while the second has one. */
async function isGivenToAnother(client: ClientBase, own: number, connect: Connect): Promise<boolean> {
  await using second = await connect();
  try {
    await second.client.query('begin');
  } catch (error) {
    // A pooler that gives each statement a connection refuses transactions.
    if ((error as { code?: unknown }).code === PROTOCOL_VIOLATION) return true;
    throw error;
  }
  return (await readProcessId(second.client)) === own || (await readProcessId(client)) !== own;
}

const PROTOCOL_VIOLATION = '08P01';

async function readProcessId(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(rows[0]?.pid);
}
