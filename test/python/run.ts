// Tests the client for Python with the packages of Debian and a real service, directly and behind a proxy that loses, delays,
// truncates and repeats requests:
//
//   npm run test:python
//
// The wheel is built and installed into an empty environment, from which everything runs. What needs a package that is not
// installed is skipped with the name of the package; `.ci/run` installs all of them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFaultyProxy } from '../support/api/faulty-proxy.ts';
import { startService } from '../support/cli/service.ts';
import { createSeededRandom } from '../support/platform/seeded-random.ts';
import { CLIENT_FOLDER, installWheel } from './install.ts';
import { findMissing, type Part, PYTHON } from './packages.ts';
import { type Environment, run } from './programs.ts';

/** The share of requests that the proxy disturbs. */
const DISTURBED = 0.3;
const SEED = 31;

let failed = 0;

/** Runs a part of the tests, or prints what it needs. */
async function attempt(part: Part, test: () => Promise<void>): Promise<void> {
  const missing = findMissing(part);
  if (missing.length > 0) {
    console.log(`${part}: SKIPPED, because ${missing.join(', ')} is not installed`);
    return;
  }
  try {
    await test();
    console.log(`${part}: passed`);
  } catch (error) {
    failed++;
    console.log(`${part}: FAILED\n${error instanceof Error ? error.message : error}`);
  }
}

/** Returns the examples of the README as one program. */
function readExamples(url: string, key: string): string {
  const readme = readFileSync(join(CLIENT_FOLDER, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, example]) => example);
  const program = examples.join('\n').replaceAll('http://127.0.0.1:8080', url).replaceAll('alm_…', key);
  if (!program.includes(url) || !program.includes(key)) throw new Error('The README has no address or key to replace.');
  return program;
}

const folder = mkdtempSync(join(tmpdir(), 'almanac-python-test-'));
try {
  await using service = await startService({
    environment: {
      ALMANAC_LOG_LEVEL: 'warn',
      ALMANAC_MARKET_PROVIDERS: 'none',
      ALMANAC_ECONOMIC_PROVIDERS: 'none',
      // The tests send more requests in a minute than a plan allows.
      ALMANAC_RATE_PRO: '6000',
      ALMANAC_RATE_GUEST: '6000',
      ALMANAC_RATE_ANONYMOUS: '6000',
    },
  });
  await using proxy = await startFaultyProxy(service.port, createSeededRandom(SEED), DISTURBED);
  // Nothing of the account that runs the tests may change what Python and Jupyter do.
  const base: Environment = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
  let packages = join(CLIENT_FOLDER, 'src');
  await attempt('wheel', async () => {
    packages = await installWheel(folder, base);
  });
  const environment: Environment = {
    ...base,
    PYTHONPATH: packages,
    MPLBACKEND: 'Agg',
    ALMANAC_URL: service.url,
    ALMANAC_KEY: service.key,
    ALMANAC_TEST_URL: service.url,
    ALMANAC_TEST_KEY: service.key,
    ALMANAC_TEST_PROXY: proxy.url,
  };
  const options = { environment, cwd: CLIENT_FOLDER };
  await attempt('tests', async () => {
    await run(PYTHON, ['-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider'], options);
    for (const [fault, count] of Object.entries(proxy.applied)) {
      if (count === 0) throw new Error(`The proxy never applied ${fault}.`);
    }
  });
  await attempt('types', () => run(PYTHON, ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy')], options));
  await attempt('README', () => {
    writeFileSync(join(folder, 'readme.py'), readExamples(service.url, service.key));
    return run(PYTHON, [join(folder, 'readme.py')], { environment, cwd: folder, isQuiet: true });
  });
  await attempt('notebook', () => {
    const notebook = join(CLIENT_FOLDER, 'examples/forecast.ipynb');
    const args = ['-m', 'nbconvert', '--to', 'notebook', '--execute', '--output-dir', folder, notebook];
    return run(PYTHON, args, { environment, cwd: folder, isQuiet: true });
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
