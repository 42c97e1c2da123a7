import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULES_FILE } from './alert-rules.ts';
import type { MetricsPage } from './metrics-page.ts';

/** The options of tests that need promtool, which is in the Debian package `prometheus`. */
export const withPromtool = {
  skip: spawnSync('promtool', ['--version']).error !== undefined && 'promtool is not installed',
};

/** An alert that fires, with those of its labels that a test compares. */
export type FiringAlert = Readonly<Partial<Record<'alertname' | 'queue' | 'reason' | 'engine', string>>>;

export interface TimelineOptions {
  /** The time from one value of a series to the next. Default: 1. */
  readonly stepMinutes?: number;
  /**
   * Whether the delay of the event loop counts. The test itself delays the loop of this process, for example when it opens
   * a database.
   */
  readonly withEventLoop?: boolean;
}

const LOOP_DELAY = 'nodejs_eventloop_lag_p99_seconds';

const JOB = { job: 'almanac', instance: 'service:9464' };

/**
 * Metrics pages of a running service, at times that the test chooses. Between two pages, every series keeps its value, as if
 * nothing happened meanwhile. promtool evaluates the alert rules on these series.
 */
export class AlertTimeline {
  readonly #read: () => Promise<MetricsPage>;
  readonly #stepMinutes: number;
  readonly #used: Set<string>;
  readonly #ticks: (MetricsPage | null)[] = [];

  /** @param read returns the present page, or rejects if the service does not serve it */
  constructor(read: () => Promise<MetricsPage>, { stepMinutes = 1, withEventLoop = false }: TimelineOptions = {}) {
    this.#read = read;
    this.#stepMinutes = stepMinutes;
    this.#used = namesInRules();
    if (!withEventLoop) this.#used.delete(LOOP_DELAY);
  }

  /** Scrapes the page now, and records it for the next minutes. */
  async scrape(minutes: number): Promise<void> {
    const page = await this.#read().catch(() => null);
    for (let passed = 0; passed < minutes; passed += this.#stepMinutes) this.#ticks.push(page);
  }

  /** Checks that exactly these alerts fire at the end of the recorded time. */
  assertFiring(expected: readonly FiringAlert[]): void {
    const interval = `${this.#stepMinutes}m`;
    const test = {
      interval,
      input_series: this.#series().map(({ name, values }) => ({ series: name, values: values.join(' ') })),
      promql_expr_test: [
        {
          expr: 'max by (alertname, queue, reason, engine) (ALERTS{alertstate="firing"})',
          eval_time: `${(this.#ticks.length - 1) * this.#stepMinutes}m`,
          exp_samples: expected.map((labels) => ({ labels: formatSeries('', labels), value: 1 })),
        },
      ],
    };
    runPromtool(
      ['test', 'rules'],
      JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: interval, tests: [test] }),
    );
  }

  #series(): { name: string; values: (number | 'stale' | '_')[] }[] {
    const series = new Map<string, (number | 'stale' | '_')[]>();
    this.#ticks.forEach((page, tick) => {
      const present = new Map([[formatSeries('up', JOB), page === null ? 0 : 1]]);
      for (const { name, labels, value } of page?.families.flatMap(({ samples }) => samples) ?? []) {
        if (this.#used.has(name)) present.set(formatSeries(name, { ...labels, ...JOB }), value);
      }
      for (const [name, value] of present) {
        const values = series.get(name) ?? Array.from({ length: tick }, () => '_' as const);
        series.set(name, [...values, value]);
      }
      for (const values of series.values()) if (values.length === tick) values.push('stale');
    });
    return [...series].map(([name, values]) => ({ name, values }));
  }
}

/** Returns all words of the rules, among which are the names of all metrics that they use. */
function namesInRules(): Set<string> {
  return new Set(readFileSync(RULES_FILE, 'utf8').match(/\w+/g));
}

/** @example formatSeries('up', { job: 'almanac' }) // 'up{job="almanac"}' */
function formatSeries(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(',')}}`;
}

/** Runs promtool on a file with this content, and fails with its output if it reports a problem. JSON is valid YAML. */
export function runPromtool(command: readonly string[], content: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-promtool-'));
  try {
    const file = join(folder, 'file.yml');
    writeFileSync(file, content);
    const { status, stdout, stderr } = spawnSync('promtool', [...command, file], { encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
