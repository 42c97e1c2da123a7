import { clientsOf } from './connect-client.ts';

/** Connects to a server or a pooler and runs one statement, without the checks and settings of a start. */
export async function probePostgres(url: string, connectTimeoutMs: number): Promise<void> {
  await using opened = await clientsOf(url, connectTimeoutMs)();
  await opened.client.query('select 1');
}
