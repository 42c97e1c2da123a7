import { copyFileSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON } from './packages.ts';
import { type Environment, run } from './programs.ts';

export const CLIENT_FOLDER = join(import.meta.dirname, '../../clients/python');

/** Builds the wheel of the client and installs it, and nothing else, into an empty environment. Returns its site-packages. */
export async function installWheel(folder: string, environment: Environment): Promise<string> {
  // The build writes into the folder of its sources.
  const sources = join(folder, 'sources');
  mkdirSync(sources);
  for (const file of ['pyproject.toml', 'README.md', 'LICENSE']) {
    copyFileSync(join(CLIENT_FOLDER, file), join(sources, file));
  }
  cpSync(join(CLIENT_FOLDER, 'src'), join(sources, 'src'), {
    recursive: true,
    filter: (path) => !/__pycache__|\.egg-info/.test(path),
  });
  const wheels = join(folder, 'wheels');
  const quiet = { environment, cwd: sources, isQuiet: true };
  await run(PYTHON, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', wheels], quiet);
  const [wheel = '', ...others] = readdirSync(wheels);
  if (!/^almanac_client-.*-py3-none-any\.whl$/.test(wheel) || others.length > 0) {
    throw new Error(`The build made ${[wheel, ...others].join(', ')} instead of one wheel for every platform.`);
  }
  const place = join(folder, 'environment');
  // Debian has no pip for new environments; that of the system is used.
  await run(PYTHON, ['-m', 'venv', '--system-site-packages', '--without-pip', place], quiet);
  const python = join(place, 'bin/python3');
  await run(python, ['-m', 'pip', 'install', '--no-deps', '--no-index', '--quiet', join(wheels, wheel)], quiet);
  const [library = ''] = readdirSync(join(place, 'lib'));
  const packages = join(place, 'lib', library, 'site-packages');
  const program = 'import almanac, sys; sys.exit(not almanac.__file__.startswith(sys.argv[1]))';
  await run(python, ['-c', program, packages], quiet);
  return packages;
}
