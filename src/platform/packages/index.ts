export { once } from './once.ts';
export { parseDate, parseNumber } from './parse-cells.ts';
export { type CsvRow, parseCsv, readPackageCsv } from './parse-csv.ts';
export {
  type PackageFile,
  readPackageFile,
  readPackageJson,
  sayInstalledPackage,
  sayPackageFile,
} from './read-package-file.ts';
