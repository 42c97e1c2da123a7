import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { currentSpan, isMeasured, observe, traced } from '../telemetry/index.ts';
import type { StorageProblems } from './storage-problems.ts';

const STATEMENT_WORDS = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'] as const;
const MAX_TEXT_LENGTH = 500;

const watched = new WeakSet<DatabaseConnection>();

type Execute = <Row>(query: CompiledQuery, ...rest: unknown[]) => Promise<QueryResult<Row>>;

/**
 * Makes a connection measure and trace its statements, if that is enabled. A connection that is passed again, as pools
 * do, is not changed again.
 */
export function watchStatements(connection: DatabaseConnection, problems: StorageProblems): DatabaseConnection {
  if (watched.has(connection)) return connection;
  watched.add(connection);
  const execute = recordProblems(connection.executeQuery.bind(connection) as Execute, problems);
  const watching: Execute = (query, ...rest) =>
    isMeasured() || currentSpan() !== undefined
      ? watch(query.sql, () => execute(query, ...rest))
      : execute(query, ...rest);
  connection.executeQuery = watching;
  return connection;
}

function recordProblems(execute: Execute, problems: StorageProblems): Execute {
  return async (query, ...rest) => {
    try {
      return await execute(query, ...rest);
    } catch (error) {
      problems.record(error);
      throw error;
    }
  };
}

async function watch<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  const statement = wordOf(text);
  const startedAt = performance.now();
  try {
    if (currentSpan() === undefined) return await run();
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': withoutValues(text) };
    return await traced({ name: `db ${statement}`, kind: 'client', attributes }, run);
  } finally {
    observe('database_query_duration_seconds', { statement }, (performance.now() - startedAt) / 1000);
  }
}

function wordOf(text: string): string {
  const first = /^\s*(\w{1,12})/.exec(text)?.[1]?.toLowerCase();
  return STATEMENT_WORDS.find((word) => word === first) ?? 'other';
}

/** Removes literals from the text of a statement. Most values are parameters, but pg-boss writes some as literals. */
export function withoutValues(text: string): string {
  return text
    .replace(/'(?:[^']|'')*(?:'|$)/g, "'?'")
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH);
}
