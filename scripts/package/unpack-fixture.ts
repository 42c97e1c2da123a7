// Unpacks the data folder of the newest release, and prints the id of a public forecast in it: unpack-fixture.ts FOLDER

import { readReleaseExpected } from '../../test/upgrade/expected.ts';
import { listReleaseFixtures, unpackFolder } from '../../test/upgrade/fixtures.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder to write to.');
const newest = listReleaseFixtures().at(-1);
if (newest === undefined) throw new Error('There is no fixture of a release.');
unpackFolder(newest, folder);
console.log(readReleaseExpected(newest, 'pglite').forecasts.completed);
