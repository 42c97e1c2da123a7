import { checkLedger, isLedgerSound } from '../../src/forecasts/index.ts';
import type { Random } from '../support/platform/seeded-random.ts';
import { ActivitySignal } from './activity-signal.ts';
import { corruptForecasts } from './corrupt-forecasts.ts';
import { findApiViolations, findForecastViolations, findOutcomeViolations } from './find-violations.ts';
import type { Installation } from './installation.ts';
import { planForecasts } from './plan-forecasts.ts';
import { type RequestOutcome, sendRequests } from './send-requests.ts';
import { countOpenEntries, readStoredForecasts, type StoredForecast } from './stored-forecasts.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export interface ChaosOptions {
  readonly seconds: number;
  readonly jobs: number;
  readonly random: Random;
  /** Corrupts the stored forecasts, to prove that the checks detect it. */
  readonly sabotage: boolean;
}

/** How long requests are sent after the last kill: lost jobs occupy all slots for a while. */
const EXTRA_MS = 180_000;
const MAX_SHOWN = 20;

/** Runs forecasts under chaos and prints what happened. Returns the number of violations. */
export async function runChaos(
  installation: Installation,
  { seconds, jobs, random, sabotage }: ChaosOptions,
): Promise<number> {
  const { processes } = installation;
  await Promise.all(processes.map((process) => process.start()));
  const violations: string[] = [];
  const activity = new ActivitySignal();
  let results: readonly [string[], RequestOutcome[]];
  let idleSeconds: number | null;
  try {
    results = await Promise.all([
      installation.disturb(random, activity, AbortSignal.timeout(seconds * 1_000)),
      sendRequests(
        installation,
        planForecasts(jobs, seconds, random),
        activity,
        AbortSignal.timeout(seconds * 1_000 + EXTRA_MS),
      ),
    ]);
    idleSeconds = await waitUntilIdle(installation);
    if (idleSeconds === null) violations.push('not all forecasts ended in time');
    violations.push(...(await findApiViolations(installation, results[1])));
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
  const [disturbances, outcomes] = results;
  violations.push(...processes.flatMap((process) => process.violations), ...(installation.findViolations?.() ?? []));

  await using database = await openDisposable(installation);
  if (sabotage) await corruptForecasts(database.value);
  const stored = await readStoredForecasts(database.value, installation.account.id);
  for (const forecast of stored)
    violations.push(...findForecastViolations(forecast).map((text) => `${forecast.title}: ${forecast.id} ${text}`));
  const byTitle = Map.groupBy(stored, ({ title }) => title);
  for (const outcome of outcomes) {
    const { title } = outcome.planned;
    violations.push(...findOutcomeViolations(outcome, byTitle.get(title) ?? []).map((text) => `${title}: ${text}`));
  }
  const ledger = await checkLedger(database.value);
  if (!isLedgerSound(ledger)) {
    const { unbalanced, open, slots } = ledger;
    violations.push(`the ledger is not sound: ${JSON.stringify({ unbalanced, open, slots }).slice(0, 1_000)}`);
  }

  console.log(`\n${installation.name}`);
  for (const line of disturbances) console.log(line);
  printCounts(outcomes, stored);
  const openCount = await countOpenEntries(database.value);
  console.log(
    `idle      ${idleSeconds === null ? 'never' : `after ${idleSeconds.toFixed(0)} s`}; ${openCount} open queue entries; ledger of ${ledger.entries} entries ${isLedgerSound(ledger) ? 'sound, no slot leaked' : 'NOT SOUND'}`,
  );
  for (const violation of violations.slice(0, MAX_SHOWN)) console.log(`VIOLATION ${violation}`);
  if (violations.length > MAX_SHOWN) console.log(`VIOLATION and ${violations.length - MAX_SHOWN} more`);
  return violations.length;
}

async function openDisposable(installation: Installation) {
  const value = await installation.openDatabase();
  return { value, [Symbol.asyncDispose]: () => value.close() };
}

function printCounts(outcomes: readonly RequestOutcome[], stored: readonly StoredForecast[]): void {
  const count = (matches: (outcome: RequestOutcome) => boolean) => outcomes.filter(matches).length;
  const unanswered = outcomes.reduce((sum, outcome) => sum + outcome.unanswered, 0);
  const failed = Map.groupBy(
    stored.flatMap(({ code }) => code ?? []),
    (code) => code,
  );
  const codes = [...failed].map(([code, all]) => `${code} ${all.length}`).join(', ');
  const retried = stored.filter(({ attempt }) => attempt > 1);
  console.log(
    `requested ${outcomes.length}, acknowledged ${count(({ ids }) => ids.size > 0)}, requests without a response ${unanswered}`,
  );
  console.log(
    `created   ${stored.length}, completed ${stored.filter(({ status }) => status === 'completed').length}, failed ${stored.filter(({ status }) => status === 'failed').length}${codes ? ` (${codes})` : ''}`,
  );
  console.log(
    `canceled  ${count(({ canceled }) => canceled?.code === 'FORECAST_CANCELED')} of ${count(({ canceled }) => canceled !== null)} acknowledged cancellations; the others had already ended`,
  );
  console.log(
    `attempts  ${retried.reduce((sum, { attempt }) => sum + attempt - 1, 0)} repeated, of ${retried.length} forecasts`,
  );
}
