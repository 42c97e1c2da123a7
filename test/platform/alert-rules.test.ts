import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { QUEUES } from '../../src/compose/index.ts';
import { operations } from '../../src/contract/index.ts';
import { METRICS } from '../../src/platform/index.ts';
import { type AlertRule, RULES_FILE, readAlertRules } from '../support/platform/alert-rules.ts';
import { runPromtool, withPromtool } from '../support/platform/alert-timeline.ts';
import { openTelemetry } from '../support/platform/telemetry.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const rules = readAlertRules();

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly description?: string;
    readonly datasource?: { readonly uid: string };
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const dashboards = globSync('deploy/grafana/*.json', { cwd: ROOT }).map((file) => JSON.parse(read(file)) as Dashboard);
const targets = dashboards.flatMap(({ panels }) => panels.flatMap((panel) => panel.targets ?? []));
const expressions = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => expr)];

test('promtool accepts the rules, and each fires and rests at the values of its tests', withPromtool, () => {
  const run = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
  };
  run(['check', 'rules', RULES_FILE]);
  const files = globSync('deploy/prometheus/*.test.yml', { cwd: ROOT });
  assert.equal(files.length, 2);
  run(['test', 'rules', ...files]);
  const tests = files.map(read).join('');
  for (const { alert, summary } of rules) assert.ok(tests.includes(`alertname: ${alert}\n`), `${alert}: ${summary}`);
});

test('promtool accepts every expression of the dashboards', withPromtool, () => {
  const recorded = targets.map(({ expr }, index) => ({ record: `panel_${index}`, expr }));
  assert.ok(recorded.length > 30);
  runPromtool(['check', 'rules'], JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
});

/** The labels that Prometheus adds, with the names that PromQL gives a meaning. */
const OTHER_LABELS = ['job', 'instance', 'le'];

test('rules and dashboards use only metrics and labels of the metrics page', async () => {
  await using telemetry = await openTelemetry({ ALMANAC_METRICS: '127.0.0.1:0' });
  const { families } = await telemetry.page();
  const labels = new Map<string, readonly string[]>(
    Object.entries(METRICS).map(([name, metric]) => [`almanac_${name}`, metric.labels]),
  );
  const known = new Map(
    families.flatMap(({ name, type }) => {
      const samples = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];
      return samples.map((sample) => [sample, labels.get(name) ?? []] as const);
    }),
  );
  known.set('up', []);
  for (const expr of expressions) {
    const used = expr.match(/\b(almanac|nodejs|process)_\w+|\bup\b/g) ?? [];
    assert.ok(used.length > 0, expr);
    for (const name of used) assert.ok(known.has(name), `${name} is not on the page: ${expr}`);
    const allowed = new Set([...OTHER_LABELS, ...used.flatMap((name) => known.get(name) ?? [])]);
    const inMatchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    );
    const inGroups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
    for (const label of [...inMatchers, ...inGroups]) assert.ok(allowed.has(label), `${label}: ${expr}`);
  }
});

test('rules and dashboards name only operations, queues, codes and outcomes that exist', () => {
  const operationIds = Object.keys(operations);
  const exists: Readonly<Record<string, readonly string[]>> = {
    operation: [...operationIds, '/mcp'],
    queue: QUEUES.map(({ name }) => name.split('/', 1)[0] as string),
    code: ['FORECAST_CANCELED', 'INSUFFICIENT_HISTORY'],
    status: ['2xx', '3xx', '4xx', '5xx'],
    state: ['in_use', 'waiting'],
    outcome: ['sent', 'failed', 'done', 'refused'],
    job: ['almanac'],
  };
  for (const [, label = '', values = ''] of expressions.join(' ').matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]+)"/g)) {
    for (const value of values.split('|')) assert.ok(exists[label]?.includes(value), `${label} ${value}`);
  }
});

test('a test causes the condition of every alert', () => {
  const text = read('test/platform/alerts-firing.test.ts');
  for (const { alert } of rules) assert.match(text, new RegExp(`assertFiring\\(\\[[^)]*'${alert}'`), alert);
});

const HEADINGS = ['What callers notice', 'Confirm', 'What to do', 'When it ends'];

test('every alert has a page in the runbook, and every page an alert', () => {
  const pages = readdirSync(join(ROOT, 'docs/runbook')).filter((file) => file !== 'README.md');
  assert.deepEqual(pages.toSorted(), rules.map(({ alert }) => `${alert}.md`).toSorted());
  const index = read('docs/runbook/README.md');
  for (const { alert, severity, summary, runbook } of rules satisfies AlertRule[]) {
    assert.equal(runbook, `docs/runbook/${alert}.md`);
    assert.match(severity, /^(page|ticket)$/, alert);
    assert.match(summary, /\.$/, alert);
    assert.ok(index.includes(`| [${alert}](${alert}.md) | ${severity} |`), alert);
    const page = read(runbook);
    assert.ok(page.startsWith(`# ${alert}\n\n`));
    assert.deepEqual(
      [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      HEADINGS,
      alert,
    );
    assert.match(page, /^```sh\n/m, `${alert} has a command that confirms it`);
    for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(join(ROOT, 'docs/runbook', link)), `${alert}: ${link}`);
    }
  }
});

test('the dashboards choose their data source, and explain each panel', () => {
  assert.deepEqual(dashboards.map(({ uid }) => uid).toSorted(), ['almanac-forecasts', 'almanac-overview']);
  for (const { panels } of dashboards) {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { type, title, description, datasource, targets: shown } of panels) {
      if (type === 'row') continue;
      assert.equal(datasource?.uid, `\${datasource}`, title);
      assert.match(description ?? '', /\.$/, title);
      assert.ok(shown?.length, title);
    }
  }
});

test('every metric is in an alert or on a dashboard', () => {
  const all = expressions.join(' ');
  assert.deepEqual(
    Object.keys(METRICS).filter((name) => !all.includes(`almanac_${name}`)),
    [],
  );
});
