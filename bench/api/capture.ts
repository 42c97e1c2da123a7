import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { buildApi, openFoundation } from '../../src/compose/index.ts';
import { StatementRunner } from '../../src/platform/database/statement-runner.ts';
import { createLog } from '../../src/platform/index.ts';
import type { Environment } from '../../test/support/cli/almanac-process.ts';
import { loadTestConfig } from '../../test/support/platform/test-config.ts';

/** A statement as the service passed it to the database driver. */
export interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** The statements of several consecutive requests for a path, and the last response. */
export interface Recording {
  readonly requests: Statement[][];
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Runs the service in this process and records every statement that reaches the driver. Sends enough requests to
 * include rare statements: rate limits are stored in the database once in a hundred requests.
 */
export async function recordRequests(
  environment: Environment,
  path: string,
  key: string,
  requests = 100,
): Promise<Recording> {
  const config = loadTestConfig(environment);
  const foundation = await openFoundation(config, createLog('error'));
  const app = await buildApi(foundation, { siteUrl: () => 'http://127.0.0.1' });
  const request = { method: 'GET', url: path, headers: { authorization: `Bearer ${key}` } } as const;
  await app.inject(request); // the first use of a key is stored; the next uses are not
  const recorded: Statement[][] = [];
  const stopListening = listen((statement) => recorded.at(-1)?.push(statement));
  let reply = await app.inject(request);
  for (let count = 0; count < requests; count += 1) {
    recorded.push([]);
    reply = await app.inject(request);
  }
  stopListening();
  await app.close();
  await foundation.database.close();
  if (recorded.flat().length === 0) throw new Error(`${path} ran no statement that was recorded`);
  if (reply.statusCode !== 200) throw new Error(`${path} returned ${reply.statusCode}: ${reply.body}`);
  return { requests: recorded, headers: sentHeaders(reply.headers), body: reply.body };
}

type Heard = (statement: Statement) => void;

/** The methods through which statements reach a driver. */
const METHODS: readonly (readonly [object, string])[] = [
  [StatementRunner.prototype, 'run'],
  [StatementRunner.prototype, 'runInTransaction'],
  [PGlite.prototype, 'query'],
  [Client.prototype, 'query'],
];

/** Passes every statement that reaches a driver to `heard`. Returns a function that stops this. */
function listen(heard: Heard): () => void {
  const unwrap = METHODS.map(([driver, method]) => wrap(driver, method, heard));
  return () => {
    for (const restore of unwrap) restore();
  };
}

function wrap(driver: object, method: string, heard: Heard): () => void {
  const original: (...args: unknown[]) => unknown = Reflect.get(driver, method);
  Reflect.set(driver, method, function (this: unknown, ...args: unknown[]) {
    const [first, second] = args;
    if (typeof first === 'string') heard({ sql: first, parameters: Array.isArray(second) ? second : [] });
    else if (isQuery(first)) heard({ sql: first.text, parameters: first.values ?? [] });
    return Reflect.apply(original, this, args);
  });
  return () => Reflect.set(driver, method, original);
}

function isQuery(value: unknown): value is { text: string; values?: unknown[] } {
  return typeof value === 'object' && value !== null && 'text' in value;
}

/** Returns the headers that the service itself sets, without those that Node adds on both sides. */
function sentHeaders(headers: Record<string, unknown>): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}
