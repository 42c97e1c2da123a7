// Writes the source without types to a folder, as JavaScript that an emulated processor loads quickly:
//
//   node scripts/launch.mjs scripts/golden/strip-types.ts FOLDER

import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder to write to.');

for (const file of globSync(['{src,scripts/golden}/**/*.ts'], {
  cwd: root,
  exclude: (name) => name.endsWith('.test.ts'),
})) {
  const target = path.join(folder, file.replace(/\.ts$/, '.mjs'));
  mkdirSync(path.dirname(target), { recursive: true });
  const code = stripTypeScriptTypes(readFileSync(path.join(root, file), 'utf8'));
  writeFileSync(target, code.replace(/(['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, '$1.mjs'));
}
for (const data of ['scripts/golden/results', 'test/engine/toto-golden']) {
  cpSync(path.join(root, data), path.join(folder, data), { recursive: true });
}
writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
