import { checkLedger, isSound } from '../../src/forecasts/index.ts';
import type { Random } from '../soak/random.ts';
import { Bell } from './bell.ts';
import { checkByApi } from './check-by-api.ts';
import { checkForecast, checkOutcome } from './check-forecasts.ts';
import { type Kills, killAtRandom } from './kill-at-random.ts';
import { makeOrders } from './orders.ts';
import { type Outcome, placeOrders } from './place-orders.ts';
import type { Scene } from './scene.ts';
import { settle } from './settle.ts';
import { spoil } from './spoil.ts';
import { openEntries, type StoredForecast, storedForecasts } from './stored-forecasts.ts';

export interface ChaosOptions {
  readonly seconds: number;
  readonly jobs: number;
  readonly random: Random;
  /** Spoil what is stored, to see that it is noticed. */
  readonly sabotage: boolean;
}

/** How much longer than the kills the orders may take: a full house of lost jobs keeps new ones out for a while. */
const LATER_MS = 180_000;
const MAX_SHOWN = 20;

/** @returns the number of violations, which are printed */
export async function causeChaos(scene: Scene, { seconds, jobs, random, sabotage }: ChaosOptions): Promise<number> {
  const { members } = scene;
  await Promise.all(members.map((member) => member.start()));
  const faults: string[] = [];
  const busy = new Bell();
  let told: readonly [Kills, Outcome[]];
  let settledSeconds: number | null;
  try {
    told = await Promise.all([
      killAtRandom(scene, random, busy, AbortSignal.timeout(seconds * 1_000)),
      placeOrders(scene, makeOrders(jobs, seconds, random), busy, AbortSignal.timeout(seconds * 1_000 + LATER_MS)),
    ]);
    settledSeconds = await settle(scene);
    if (settledSeconds === null) faults.push('the forecasts have not all ended in time');
    faults.push(...(await checkByApi(scene, told[1])));
  } finally {
    await Promise.all(members.map((member) => member.stop()));
  }
  const [kills, outcomes] = told;
  faults.push(...members.flatMap((member) => member.faults));

  await using database = await opened(scene);
  if (sabotage) await spoil(database.value);
  const stored = await storedForecasts(database.value, scene.customer.id);
  for (const forecast of stored)
    faults.push(...checkForecast(forecast).map((fault) => `${forecast.title}: ${forecast.id} ${fault}`));
  const byTitle = Map.groupBy(stored, ({ title }) => title);
  for (const outcome of outcomes) {
    const { title } = outcome.order;
    faults.push(...checkOutcome(outcome, byTitle.get(title) ?? []).map((fault) => `${title}: ${fault}`));
  }
  const ledger = await checkLedger(database.value);
  if (!isSound(ledger)) {
    const { unbalanced, open, slots } = ledger;
    faults.push(`the ledger is not sound: ${JSON.stringify({ unbalanced, open, slots }).slice(0, 1_000)}`);
  }

  console.log(`\n${scene.kind}`);
  const failedStarts = members.reduce((sum, member) => sum + member.failedStarts, 0);
  printKills(scene, kills, failedStarts);
  printCounts(outcomes, stored);
  const left = await openEntries(database.value);
  console.log(
    `settled   ${settledSeconds === null ? 'not' : `after ${settledSeconds.toFixed(0)} s`}; ${left} open queue entries; ledger of ${ledger.entries} entries ${isSound(ledger) ? 'sound, no slot leaked' : 'NOT SOUND'}`,
  );
  for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`VIOLATION ${fault}`);
  if (faults.length > MAX_SHOWN) console.log(`VIOLATION and ${faults.length - MAX_SHOWN} more`);
  return faults.length;
}

async function opened(scene: Scene) {
  const value = await scene.openDatabase();
  return { value, [Symbol.asyncDispose]: () => value.close() };
}

function printKills({ kind }: Scene, { api, worker, cuts, connections }: Kills, failedStarts: number): void {
  const beside = kind === 'postgres' ? `, ${worker} workers, ${connections} connections in ${cuts} cuts` : '';
  console.log(`killed    ${api} API processes${beside}; ${failedStarts} starts that failed and were repeated`);
}

function printCounts(outcomes: readonly Outcome[], stored: readonly StoredForecast[]): void {
  const count = (matches: (outcome: Outcome) => boolean) => outcomes.filter(matches).length;
  const unanswered = outcomes.reduce((sum, outcome) => sum + outcome.unanswered, 0);
  const failed = Map.groupBy(
    stored.flatMap(({ code }) => code ?? []),
    (code) => code,
  );
  const codes = [...failed].map(([code, all]) => `${code} ${all.length}`).join(', ');
  const retried = stored.filter(({ attempt }) => attempt > 1);
  console.log(
    `asked     ${outcomes.length}, acknowledged ${count(({ ids }) => ids.size > 0)}, requests without an answer ${unanswered}`,
  );
  console.log(
    `created   ${stored.length}, completed ${stored.filter(({ status }) => status === 'completed').length}, failed ${stored.filter(({ status }) => status === 'failed').length}${codes ? ` (${codes})` : ''}`,
  );
  console.log(
    `canceled  ${count(({ canceled }) => canceled?.code === 'FORECAST_CANCELED')} of ${count(({ canceled }) => canceled !== null)} acknowledged cancellations; the others had ended before`,
  );
  console.log(
    `attempts  ${retried.reduce((sum, { attempt }) => sum + attempt - 1, 0)} repeated, of ${retried.length} forecasts`,
  );
}
