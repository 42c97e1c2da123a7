// Kills the service with -9 while it writes, again and again, and looks for what it had acknowledged.
//
//   npm run test:soak [-- --short] [--rounds 20] [--only pglite|postgres] [--seed 1] [--sabotage]
//
// On the embedded database; on PostgreSQL as well when TEST_DATABASE_URL names a server. --short is what CI runs.
// --sabotage loses a row on purpose: such a run must fail. The long form ends with the fuzz tests, at length;
// FUZZ_REQUESTS says how many requests, in either form.

import { parseArgs } from 'node:util';
import { killRounds, type Tally } from './kill-rounds.ts';
import { longerFuzz } from './longer-fuzz.ts';
import { randomFrom } from './random.ts';
import { type SoakDatabase, soakPglite, soakPostgres } from './soak-database.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds ?? (values.short ? 3 : 20));
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const fuzzRuns = Number(process.env.FUZZ_REQUESTS ?? (values.short || values.sabotage ? 0 : 20_000));
console.log(`seed ${seed}`);

const tallies: Tally[] = [];

async function soak(open: () => Promise<SoakDatabase>): Promise<void> {
  await using database = await open();
  tallies.push(await killRounds(database, { rounds, random: randomFrom(seed), sabotage: values.sabotage }));
}

if (values.only !== 'postgres') await soak(soakPglite);
if (values.only === 'pglite') console.log('PostgreSQL is left out.');
else if (process.env.TEST_DATABASE_URL) await soak(soakPostgres);
else console.log('TEST_DATABASE_URL is not set: PostgreSQL is left out.');
if (fuzzRuns > 0) tallies.push(await longerFuzz(fuzzRuns));

const sum = (what: keyof Tally) => tallies.reduce((total, tally) => total + tally[what], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
