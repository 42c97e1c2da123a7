import type { LockedPackage } from './locked-packages.ts';

/** The licenses under which a package may be a part of an installation, by their SPDX identifiers. */
export const ALLOWED_LICENSES: readonly string[] = [
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
];

/** Packages with another license, each with the reason why it may be installed. */
export const EXCEPTIONS: readonly { readonly name: string; readonly license: string; readonly reason: string }[] = [
  {
    name: '@resvg/resvg-wasm',
    license: 'MPL-2.0',
    reason: 'The license covers the files of the package, which are installed unchanged.',
  },
  {
    name: 'us-inflation',
    license: 'CC-BY-SA',
    reason: 'A table of data that is read unchanged; the series us-cpi names the license.',
  },
];

/** Returns the packages whose license is not allowed. */
export function findForbiddenLicenses(packages: readonly LockedPackage[]): LockedPackage[] {
  return packages.filter(
    ({ name, license }) =>
      !isAllowed(license ?? '') && !EXCEPTIONS.some((one) => one.name === name && one.license === license),
  );
}

/** Whether one of the alternatives is allowed. Licenses that apply together are not: they need an exception. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return alternatives.some((one) => ALLOWED_LICENSES.includes(one));
}
