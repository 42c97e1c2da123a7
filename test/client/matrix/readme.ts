import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_FOLDER } from '../../../scripts/client/build.ts';
import { type Place, runProgram } from './runtimes.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the TypeScript examples of the README as one module. */
function readExamples(): string {
  const readme = readFileSync(join(CLIENT_FOLDER, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example]) => example).join('\n');
}

/** Compiles the examples of the README against the installed package, and runs them with the service. */
export async function runReadme({ folder, url, key }: Place): Promise<string[]> {
  const examples = readExamples();
  const program = examples
    .replace("'http://127.0.0.1:8080'", JSON.stringify(url))
    .replace("'alm_…'", JSON.stringify(key));
  if (!program.includes(url) || !program.includes(key)) throw new Error('The README has no address or key to replace.');
  writeFileSync(join(folder, 'readme.ts'), program);
  const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [] };
  const compilerOptions = {
    ...options,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['readme.ts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The examples of the README do not compile:\n${stdout}`);
  await runProgram(folder, process.execPath, ['--disable-warning=ExperimentalWarning', 'readme.ts']);
  return ['the examples compile', 'the examples run'];
}
