// Writes the bill of materials of the package, and a list of the licenses of everything that is installed with it:
//
//   npm run sbom               writes almanac-VERSION.cdx.json and almanac-VERSION.licenses.txt to release/
//   npm run sbom -- FOLDER     writes to another folder

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeBill } from './bill.ts';
import { findForbiddenLicenses } from './licenses.ts';
import { listRuntimePackages } from './locked-packages.ts';

const folder = path.resolve(process.argv[2] ?? 'release');
const bill = makeBill();
const packages = listRuntimePackages();
const { name, version } = bill.metadata.component;
const files = {
  [`${name}-${version}.cdx.json`]: `${JSON.stringify(bill, null, 2)}\n`,
  [`${name}-${version}.licenses.txt`]: packages.map((one) => `${one.name}@${one.version}\t${one.license}\n`).join(''),
};
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(files)) {
  writeFileSync(path.join(folder, file), text);
  console.log(path.join(folder, file));
}
for (const one of findForbiddenLicenses(packages)) {
  console.error(
    `${one.name}@${one.version} has the license ${one.license}, which scripts/package/licenses.ts does not allow.`,
  );
  process.exitCode = 1;
}
