import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi } from '../src/contract/index.ts';

/** Checks the OpenAPI document with Redocly's linter. Fails on every problem that the rules in redocly.yaml find. */
const root = join(import.meta.dirname, '..');
const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'almanac-openapi-'));
const file = join(folder, 'openapi.json');
try {
  writeFileSync(file, JSON.stringify(buildOpenApi('https://almanac.example'), null, 2));
  const { status, error } = spawnSync(
    process.execPath,
    [linter, 'lint', file, '--config', join(root, 'redocly.yaml')],
    // Without these settings, the linter would send requests to its vendor.
    { stdio: 'inherit', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  if (error) throw error;
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
