// Unpacks the data folder of an earlier build, and prints the id of a public forecast in it: unpack-fixture.ts FOLDER

import { readExpected } from '../../test/upgrade/expected.ts';
import { unpackFolder } from '../../test/upgrade/open-fixture.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder to write to.');
unpackFolder(folder);
console.log(readExpected('pglite').forecasts.completed);
