// Compares a statement on the embedded database, sent in the same way as by the service, with PGlite's own query(). The
// two take turns.
//
//   npm run -s bench:database [-- --rounds N --statements N]

import { parseArgs } from 'node:util';
import { MIGRATIONS } from '../../src/compose/index.ts';
import { engineOf } from '../../src/platform/database/engine.ts';
import { engineForKysely } from '../../src/platform/database/pglite-engine.ts';
import { openTestDatabase } from '../../test/support/platform/database.ts';
import { summarize } from '../search/measure.ts';
import { CASES, type Case, FILL } from './cases.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, statements: { type: 'string', default: '300' } },
});
const statementsPerRound = Number(options.statements);

await using fixture = await openTestDatabase('pglite', { migrations: MIGRATIONS });
const engine = engineOf(fixture.database);
if (engine.kind !== 'pglite') throw new TypeError('This bench measures the embedded database only.');
const { pglite, statements } = engine;
await pglite.exec(FILL);
const ours = {
  query: (text: string, parameters: unknown[]) => statements.run(text, parameters),
  transaction: engineForKysely(pglite, statements).transaction,
};
const sides = { ours, plain: pglite } as const;

let next = 0;

/**
 * Returns the mean microseconds per statement of a round. A transaction's BEGIN and COMMIT are divided among its
 * statements.
 */
async function round(side: typeof ours | typeof pglite, { text, parameters, perTransaction }: Case): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < statementsPerRound; done += perTransaction ?? 1) {
    if (perTransaction === undefined) {
      next += 1;
      await side.query(text, parameters(next));
      continue;
    }
    await side.transaction(async (tx) => {
      for (let i = 0; i < perTransaction; i += 1) {
        next += 1;
        await tx.query(text, parameters(next));
      }
    });
  }
  return ((performance.now() - startedAt) / statementsPerRound) * 1000;
}

console.log(`µs for each statement, median of ${options.rounds} rounds of ${statementsPerRound}`);
console.log(`${''.padEnd(40)}${'ours'.padStart(8)}${'query()'.padStart(10)}${'times'.padStart(8)}`);
for (const one of CASES) {
  const times = { ours: [] as number[], plain: [] as number[] };
  for (let i = 0; i <= Number(options.rounds); i += 1) {
    for (const name of ['ours', 'plain'] as const) {
      const time = await round(sides[name], one);
      if (i > 0) times[name].push(time); // the first round warms up
    }
  }
  const [fast, slow] = [summarize(times.ours).median, summarize(times.plain).median];
  const figures = [fast.toFixed(0).padStart(8), slow.toFixed(0).padStart(10), (slow / fast).toFixed(1).padStart(8)];
  console.log(`${one.name.padEnd(40)}${figures.join('')}`);
}
