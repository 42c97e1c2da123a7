import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Executor } from './database.ts';

/** Stands in the query for a value that each run brings along. */
class Gap {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A query that is built at its first run; later runs only put their values in. For what every request asks: building a
 * query and writing it as SQL takes longer than sending it.
 *
 * `build` may hand the values on to Kysely and do nothing else with them: it sees stand-ins.
 *
 * @example
 * const accountById = compileOnce((db: Kysely<Tables>, { id }: { id: string }) =>
 *   db.selectFrom('account').selectAll().where('id', '=', id));
 * const [account] = await accountById(executor, { id: 'usr_1' });
 */
export function compileOnce<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (executor: Executor, values: Values) => Promise<Row[]> {
  const gaps = new Proxy({}, { get: (_, name) => new Gap(name) }) as Values;
  let compiled: CompiledQuery<Row> | undefined;
  return async (executor, values) => {
    const db = executor.query<Tables>();
    compiled ??= build(db, gaps).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Gap ? Reflect.get(values, parameter.name) : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
