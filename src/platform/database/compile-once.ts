import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Executor } from './database.ts';

/** A placeholder in the query for a value that each run supplies. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Returns a function that builds a query at its first call; later calls only supply the values. It is meant for queries
 * that every request runs, because building a query and compiling it to SQL takes longer than sending it.
 *
 * `build` receives placeholders instead of values, so it must only pass them on to Kysely.
 *
 * @example
 * const accountById = compileOnce((db: Kysely<Tables>, { id }: { id: string }) =>
 *   db.selectFrom('account').selectAll().where('id', '=', id));
 * const [account] = await accountById(executor, { id: 'usr_1' });
 */
export function compileOnce<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (executor: Executor, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) }) as Values;
  let compiled: CompiledQuery<Row> | undefined;
  return async (executor, values) => {
    const db = executor.query<Tables>();
    compiled ??= build(db, placeholders).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
