import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The Python of Debian, whose packages the tests use. Another one on the PATH has none of them. */
export const PYTHON = '/usr/bin/python3';

/** What each part of the tests needs: the module and the Debian package that contains it. */
const NEEDS = {
  tests: { pytest: 'python3-pytest', pytest_asyncio: 'python3-pytest-asyncio', pandas: 'python3-pandas' },
  types: { mypy: 'mypy' },
  wheel: { build: 'python3-build', setuptools: 'python3-setuptools', wheel: 'python3-wheel', pip: 'python3-pip' },
  README: { pandas: 'python3-pandas', matplotlib: 'python3-matplotlib' },
  notebook: {
    nbconvert: 'python3-nbconvert',
    ipykernel: 'python3-ipykernel',
    pandas: 'python3-pandas',
    matplotlib: 'python3-matplotlib',
  },
} as const;

export type Part = keyof typeof NEEDS;

/** Returns the Debian packages that a part needs and that are not installed. */
export function findMissing(part: Part): readonly string[] {
  if (!existsSync(PYTHON)) return ['python3'];
  const needed: Readonly<Record<string, string>> = { httpx: 'python3-httpx', ...NEEDS[part] };
  const program =
    'import sys, importlib.util as u\nprint(*[m for m in sys.argv[1:] if u.find_spec(m) is None], sep="\\n")';
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', program, ...Object.keys(needed)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${PYTHON} cannot run: ${stderr}`);
  return stdout
    .split('\n')
    .filter((module) => module !== '')
    .map((module) => needed[module] ?? module);
}
