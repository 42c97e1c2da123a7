import { type Config, inspectSettings, loadConfig } from '../../platform/index.ts';
import { checkCheckpoints, checkFileModes, checkSpace } from './check-machine.ts';
import { checkAddress, checkMail } from './check-network.ts';
import { type Finding, ok, problem, warning, worstFirst } from './finding.ts';

export interface DoctorReport {
  /** False if there is a problem. Warnings leave it true. */
  readonly ok: boolean;
  readonly checks: readonly Finding[];
}

export interface DoctorOptions {
  /** Whether each configured provider gets a request. */
  readonly online: boolean;
  /** The time limit of each check. */
  readonly limitMs?: number;
}

const LIMIT_MS = 10_000;
/** A provider has its own limits, which are longer. */
const ONLINE_LIMIT_MS = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;
type Check = (config: Config) => Promise<Finding | readonly Finding[]>;

/** Runs all checks side by side, each within a time limit. Changes nothing. */
export async function runDoctor(environment: Environment, { online, limitMs }: DoctorOptions): Promise<DoctorReport> {
  const settings = describeSettings(environment);
  if (settings.some(({ status }) => status === 'problem')) return reportOf(settings);
  const config = loadConfig(environment);
  const checks: readonly (readonly [name: string, check: Check])[] = [
    ['database', async () => (await import('./check-database.ts')).checkDatabase(config, { online })],
    ['space', checkSpace],
    ['files', checkFileModes],
    ['checkpoints', checkCheckpoints],
    ['mail', checkMail],
    ['address', checkAddress],
  ];
  const limit = limitMs ?? (online ? ONLINE_LIMIT_MS : LIMIT_MS);
  const found = await Promise.all(checks.map(([name, check]) => runCheck(name, () => check(config), limit)));
  return reportOf([...settings, ...found.flat()]);
}

function reportOf(checks: readonly Finding[]): DoctorReport {
  return { ok: checks.every(({ status }) => status !== 'problem'), checks: checks.toSorted(worstFirst) };
}

/** Describes the settings. An invalid one is the only problem that ends the other checks. */
function describeSettings(environment: Environment): Finding[] {
  const { settings, problems, unknown } = inspectSettings(environment);
  const check = 'configuration';
  const findings = [
    ...problems.map((message) => problem(check, message, 'See docs/configuration.md, or run almanac config check.')),
    ...unknown.map(({ name, nearest }) => {
      const step = nearest === null ? 'Remove it; docs/configuration.md lists the settings.' : `Was ${nearest} meant?`;
      return warning(check, `${name} is not a setting.`, step);
    }),
  ];
  return findings.length > 0 ? findings : [ok(check, `Every setting that is set is valid (${settings.length}).`)];
}

async function runCheck(
  name: string,
  run: () => Promise<Finding | readonly Finding[]>,
  limitMs: number,
): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => {
    const step = 'See whether what it needs is overloaded, then try again.';
    resolve(problem(name, `This check did not end within ${limitMs / 1000} s.`, step));
  }, limitMs);
  try {
    return [await Promise.race([run(), late])].flat();
  } catch (error) {
    const { explainError } = await import('../explain-error.ts');
    return [problem(name, explainError(error).split('\n', 1)[0] ?? '', NEXT_STEPS[name] ?? 'See docs/operations.md.')];
  } finally {
    clearTimeout(timer);
  }
}

/** What to do if a check itself cannot run. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  database: 'Correct DATABASE_URL, start the server, or restore a backup; see docs/operations.md.',
  space: 'Make the folder of ALMANAC_DATA readable.',
  files: 'Make the folder of ALMANAC_DATA readable.',
  checkpoints: 'Run almanac models verify.',
};
