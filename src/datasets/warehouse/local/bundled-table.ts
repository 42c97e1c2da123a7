import { realpath } from 'node:fs/promises';
import { findPackageFile, formatPackageFile, once, readPackageLabel } from '../../../platform/index.ts';
import type { WarehouseTable } from '../engine.ts';
import { findSingleFile, type TableFiles } from './find-table-files.ts';

/** What a table states about its origin. */
export type TableOrigin = Pick<WarehouseTable, 'publisher' | 'license'> & { readonly notes: string | null };

const FILE = { package: 'vega-datasets', path: 'data/flights-3m.parquet' };

/** The name of the table that is installed with the service. */
export const BUNDLED_TABLE = 'flights';

/** Returns the file of the bundled table. */
export async function findBundledFiles(): Promise<TableFiles | null> {
  const file = await findSingleFile(await bundledPath(), formatPackageFile(FILE));
  return file && { format: 'parquet', files: [file] };
}

/** Returns what the package states about the bundled table. */
export async function readBundledOrigin(): Promise<TableOrigin> {
  return {
    publisher: `U.S. Bureau of Transportation Statistics, by way of ${await bundledLabel()}`,
    license: {
      name: 'other-open (collected under U.S. DOT regulations; license terms not explicitly specified)',
      url: 'https://www.ecfr.gov/current/title-14/chapter-II/subchapter-A/part-234',
    },
    notes: null,
  };
}

// Packages can be installed as links.
const bundledPath = once(async () => realpath(await findPackageFile(FILE)));
const bundledLabel = once(() => readPackageLabel(FILE.package));
