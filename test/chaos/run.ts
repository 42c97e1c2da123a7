// Kills processes with -9 and cuts database connections while forecasts are made, canceled and run; then looks whether
// every forecast ended exactly once, with its result, its credits and its slot in order.
//
//   npm run chaos [-- --short] [--seconds 120] [--jobs 200] [--only pglite|postgres] [--seed 1] [--sabotage]
//
// One process on the embedded database; two of the API and three workers on PostgreSQL as well when TEST_DATABASE_URL
// names a server. --short is what CI runs. The seed repeats the requests and the choices, not the moments.
// --sabotage spoils what is stored before it is checked: such a run must fail.

import { parseArgs } from 'node:util';
import { randomFrom } from '../soak/random.ts';
import { type ChaosOptions, causeChaos } from './cause-chaos.ts';
import { type Scene, scenePglite, scenePostgres } from './scene.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    jobs: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const options: ChaosOptions = {
  seconds: Number(values.seconds ?? (values.short ? 20 : 120)),
  jobs: Number(values.jobs ?? (values.short ? 20 : 200)),
  random: randomFrom(seed),
  sabotage: values.sabotage,
};
console.log(`seed ${seed}, ${options.jobs} forecasts in ${options.seconds} seconds`);

let violations = 0;

async function run(open: () => Promise<Scene>): Promise<void> {
  await using scene = await open();
  violations += await causeChaos(scene, options);
}

if (values.only !== 'postgres') await run(scenePglite);
if (values.only === 'pglite') console.log('PostgreSQL is left out.');
else if (process.env.TEST_DATABASE_URL) await run(scenePostgres);
else console.log('TEST_DATABASE_URL is not set: PostgreSQL is left out.');

console.log(violations === 0 ? 'no violations' : `${violations} VIOLATIONS`);
process.exitCode = violations === 0 ? 0 : 1;
