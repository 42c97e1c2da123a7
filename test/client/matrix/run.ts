// Packs the typed client, installs it from its tarball and runs it on Node 20 and 24, deno, workerd and Chromium with a real
// service. Then compiles and runs the examples of its README:
//
//   npm run test:client
//
// Chromium must be installed; the other runtimes are installed on demand.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noBrowser } from '../../support/api/chromium.ts';
import { startService } from '../../support/cli/service.ts';
import { installClient, installRuntimes, RUNTIMES } from './install.ts';
import { runReadme } from './readme.ts';
import { type Place, runChromium, runDeno, runModule, runWorkerd, servePage, writePrograms } from './runtimes.ts';

if (noBrowser !== false) throw new Error(noBrowser);
installRuntimes();
const folder = mkdtempSync(join(tmpdir(), 'almanac-client-test-'));
try {
  const files = await installClient(folder);
  console.log(`The package has ${files.length} files.`);
  await using page = await servePage(folder);
  await using service = await startService({
    environment: { ALMANAC_CORS_ORIGINS: page.origin, ALMANAC_LOG_LEVEL: 'warn' },
  });
  const place: Place = { folder, url: service.url, key: service.key };
  writePrograms(place);
  const runs: Readonly<Record<string, () => Promise<string[]>>> = {
    'Node 20': () => runModule(place, RUNTIMES.node20),
    'Node 24': () => runModule(place, process.execPath),
    deno: () => runDeno(place),
    workerd: () => runWorkerd(place),
    Chromium: () => runChromium(place, page),
    README: () => runReadme(place),
  };
  let failed = 0;
  for (const [name, run] of Object.entries(runs)) {
    try {
      console.log(`${name}: ${(await run()).length} checks passed`);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILED\n${error instanceof Error ? error.message : error}`);
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
