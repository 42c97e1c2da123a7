// Kills the service with -9 while it writes, round after round, and checks that no acknowledged write is lost. Then
// simulates a day of guests who create and cancel forecasts, and checks that nothing of it is left a month later.
//
//   npm run test:soak [-- --short] [--rounds 20] [--only pglite|postgres] [--seed 1] [--sabotage]
//
// Uses the embedded database and, when TEST_DATABASE_URL names a server, PostgreSQL. CI runs --short. --sabotage deletes
// a row on purpose: such a run must fail. Stampers of proofs are killed at seeded steps. Forecasts are made and scored in
// a year of a living market. The typed client makes forecasts behind a proxy that loses and repeats requests. Webhooks
// are sent to a receiver that fails in every way, while their senders are killed. Then hostile bodies are sent. The long form ends with 10,000 mutated replies
// for each adapter of a provider, and with long fuzz tests; FUZZ_REQUESTS sets the number of requests in either
// form.

import { parseArgs } from 'node:util';
import { installEvm } from '../../scripts/tests/install-evm.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { runBackupDrill } from './backup-drills.ts';
import { runClientStorms } from './client-storm.ts';
import { runFullDisk } from './full-disk.ts';
import { runGuestStorm } from './guest-storm.ts';
import { runHostileRounds } from './hostile-rounds.ts';
import { runKillRounds, type Tally } from './kill-rounds.ts';
import { runLivingMarket } from './living-market.ts';
import { runLongFuzz } from './long-fuzz.ts';
import { runMutatedReplies } from './mutated-replies.ts';
import { openPgliteSoak, openPostgresSoak, type SoakDatabase } from './soak-database.ts';
import { runStamperKills } from './stamper-kills.ts';
import { runVbaseStorms } from './vbase-storms.ts';
import { runWebhookStorms } from './webhook-storms.ts';

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
await installEvm();

const storm = values.short ? { guests: 10, rounds: 2 } : { guests: 100, rounds: 10 };
const tallies: Tally[] = [];

async function soak(open: () => Promise<SoakDatabase>): Promise<void> {
  await using database = await open();
  tallies.push(await runKillRounds(database, { rounds, random: createSeededRandom(seed), sabotage: values.sabotage }));
}

if (values.only !== 'postgres') await soak(openPgliteSoak);
if (values.only === 'pglite') console.log('PostgreSQL is skipped.');
else if (process.env.TEST_DATABASE_URL) await soak(openPostgresSoak);
else console.log('TEST_DATABASE_URL is not set: PostgreSQL is skipped.');
if (values.only !== 'postgres') tallies.push(await runFullDisk(values.short ? 1 : 5));
if (values.only !== 'postgres') tallies.push(await runGuestStorm('pglite', storm));
if (values.only !== 'pglite' && process.env.TEST_DATABASE_URL) tallies.push(await runGuestStorm('postgres', storm));
if (!values.sabotage) {
  const stamping = { seeds: values.short ? 50 : 200, seed, only: values.only };
  tallies.push(await runStamperKills(stamping), await runVbaseStorms(stamping));
}
if (!values.sabotage) {
  const year = { forecasts: values.short ? 100 : 500, seed };
  if (values.only !== 'postgres') tallies.push(await runLivingMarket('pglite', year));
  // A year on a second database finds few further errors, so that a short run leaves it out.
  if (values.only !== 'pglite' && process.env.TEST_DATABASE_URL && (!values.short || values.only === 'postgres')) {
    tallies.push(await runLivingMarket('postgres', year));
  }
}
if (!values.sabotage) {
  const runs = values.short ? 100 : 1_000;
  if (values.only !== 'postgres') tallies.push(await runClientStorms('pglite', runs, seed));
  if (values.only !== 'pglite' && process.env.TEST_DATABASE_URL) {
    tallies.push(await runClientStorms('postgres', runs, seed));
  }
}
if (!values.sabotage) {
  const size = values.short ? { deliveries: 400, kills: 2 } : { deliveries: 10_000, kills: 20 };
  tallies.push(await runWebhookStorms({ ...size, seed, only: values.only }));
}
if (!values.sabotage) {
  const mib = values.short ? 200 : 10_240;
  if (values.only !== 'postgres') tallies.push(await runBackupDrill({ from: 'pglite', to: 'pglite', mib: 16 }));
  if (values.only !== 'pglite' && process.env.TEST_DATABASE_URL) {
    tallies.push(await runBackupDrill({ from: 'postgres', to: 'postgres', mib }));
  }
}
if (!values.sabotage) tallies.push(await runHostileRounds(values.short ? 1 : 50));
if (!values.short && !values.sabotage) tallies.push(await runMutatedReplies(10_000));
if (fuzzRuns > 0) tallies.push(await runLongFuzz(fuzzRuns, seed));

const sum = (outcome: keyof Tally) => tallies.reduce((total, tally) => total + tally[outcome], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
