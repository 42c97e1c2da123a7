import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export const RULES_FILE = join(ROOT, 'deploy/prometheus/almanac.rules.yml');

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly severity: string;
  readonly summary: string;
  /** The path of its page, from the root of the project. */
  readonly runbook: string;
}

/** Reads the rules. It understands the form in which that file is written, not all of YAML. */
export function readAlertRules(): AlertRule[] {
  const [, ...rules] = readFileSync(RULES_FILE, 'utf8').split(/^ {6}- alert: /m);
  return rules.map((text) => {
    const field = (name: string) => new RegExp(`^ +${name}: '?(.+?)'?$`, 'm').exec(text)?.[1] ?? '';
    const block = /^ {8}expr: \|\n((?: {10}.*\n)+)/m.exec(text)?.[1];
    return {
      alert: text.split('\n', 1)[0] ?? '',
      expr: (block ?? field('expr')).replace(/\s+/g, ' ').trim(),
      severity: field('severity'),
      summary: field('summary'),
      runbook: field('runbook'),
    };
  });
}
