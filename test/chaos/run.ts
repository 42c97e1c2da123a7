// Kills processes with -9 and cuts database connections while forecasts are created, canceled and run; then checks that
// every forecast ended exactly once, with the right result, credits and slot.
//
//   npm run chaos [-- --short] [--seconds 120] [--jobs 200] [--only pglite|postgres] [--seed 1] [--sabotage]
//   npm run chaos -- --hosts [--short] [--seconds 600] [--jobs 600] [--seed 1] [--sabotage]
//
// Runs one process on the embedded database and, when TEST_DATABASE_URL names a server, two APIs and three workers on
// PostgreSQL. CI runs --short. The seed repeats the requests and the choices, not the timing. --sabotage corrupts the
// stored forecasts before they are checked: such a run must fail.
//
// With --hosts, two APIs, three workers, PgBouncer and a primary with a synchronous standby run on hosts of their own, which
// are network namespaces. Links are cut, bytes are delayed and lost, clocks are wrong, disks are full, processes are stopped
// and killed, and the standby is promoted. Everything that a run makes is removed when it ends, or when the next one starts.

import { parseArgs } from 'node:util';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { findMissing } from './hosts/find-programs.ts';
import { LONG_PLAN, SHORT_PLAN } from './hosts/inject-faults.ts';
import { openHostsInstallation } from './hosts/installation.ts';
import { type Installation, openPgliteInstallation, openPostgresInstallation } from './installation.ts';
import { type ChaosOptions, runChaos } from './run-chaos.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    jobs: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    sabotage: { type: 'boolean', default: false },
    hosts: { type: 'boolean', default: false },
  },
});
const defaults = values.hosts
  ? { seconds: values.short ? 60 : 600, jobs: values.short ? 50 : 600 }
  : { seconds: values.short ? 20 : 120, jobs: values.short ? 20 : 200 };
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const options: ChaosOptions = {
  seconds: Number(values.seconds ?? defaults.seconds),
  jobs: Number(values.jobs ?? defaults.jobs),
  random: createSeededRandom(seed),
  sabotage: values.sabotage,
};
console.log(`seed ${seed}, ${options.jobs} forecasts in ${options.seconds} seconds`);

let violations = 0;

async function run(open: () => Promise<Installation>): Promise<void> {
  await using installation = await open();
  violations += await runChaos(installation, options);
}

async function runOnHosts(): Promise<void> {
  const missing = findMissing();
  if (missing.length > 0) {
    console.log(`The chaos with hosts is skipped. Missing: ${missing.join('; ')}.`);
    process.exit();
  }
  await run(() => openHostsInstallation(seed, values.short ? SHORT_PLAN : LONG_PLAN));
}

async function runOnThisHost(): Promise<void> {
  if (values.only !== 'postgres') await run(openPgliteInstallation);
  if (values.only === 'pglite') console.log('PostgreSQL is skipped.');
  else if (process.env.TEST_DATABASE_URL) await run(openPostgresInstallation);
  else console.log('TEST_DATABASE_URL is not set: PostgreSQL is skipped.');
}

await (values.hosts ? runOnHosts() : runOnThisHost());
console.log(violations === 0 ? 'no violations' : `${violations} VIOLATIONS`);
process.exitCode = violations === 0 ? 0 : 1;
// Sockets of hosts that are gone can keep a process running for minutes.
if (values.hosts) process.exit();
