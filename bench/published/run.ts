// Scores us on files of real series in the published definition, beside every published model:
//
//   npm run -s bench:published -- [--json] [--docs | --pasts] [--models a,b] [--data FOLDER] FILE…
//
// The name of a file decides which published data sets it is, and `published.csv` beside the file or one folder up has
// their scores. Without it only our scores are printed. `--docs` also writes the tables and a line about the run into
// docs/models.md, where at most ten runs have a place. `--pasts` forecasts the end of each history instead of the actual
// values, so that constants can be chosen without looking at these. Toto uses the checkpoint in the data folder or, if there is none,
// the bundled one.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { requirePlace, writeRun } from './docs-page.ts';
import { ENTRIES } from './entries.ts';
import { evaluateSets } from './evaluate-sets.ts';
import { readPasts, readSets, type SeriesSet } from './read-sets.ts';
import { relativeTables } from './relative.ts';
import { formatTables } from './text-tables.ts';

const USAGE = 'Usage: npm run -s bench:published -- [--json] [--docs | --pasts] [--models a,b] [--data FOLDER] FILE…';
const PAGE = path.join(import.meta.dirname, '../../docs/models.md');

const { options, files } = readArguments();
const entries = [...new Set(options.models.split(','))];
const unknown = entries.find((entry) => !ENTRIES.includes(entry));
if (unknown !== undefined) endWithUsage(`There is no model '${unknown}'. Choose from ${ENTRIES.join(', ')}.`);
if (files.length === 0) endWithUsage('Name at least one file of series.');
if (options.docs && options.pasts) endWithUsage('Give only one of --docs and --pasts.');
const sets = files.flatMap(readFile);
if (options.docs) readPage();

const { boards, failures } = await evaluateSets(sets, entries, options.data);
for (const { id, entry, failure } of failures) console.error(`${entry} has no forecast for ${id}: ${failure}`);
const tables = relativeTables(boards);
console.log(options.json ? JSON.stringify({ sets: boards, relative: tables }) : formatTables(boards, tables));
if (options.docs) {
  const run = { date: new Date().toISOString().slice(0, 10), commit: shortCommit() };
  // Read again, because a run takes long enough for the page to be edited meanwhile.
  writeFileSync(PAGE, writeRun(readPage(), run, boards, tables));
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
        pasts: { type: 'boolean', default: false },
        models: { type: 'string', default: ENTRIES.join(',') },
        data: { type: 'string', default: './data' },
      },
      allowPositionals: true,
    });
    return { options: values, files: positionals };
  } catch (error) {
    return endWithUsage((error as Error).message);
  }
}

function readFile(file: string): SeriesSet[] {
  try {
    const { sets, leftOut } = options.pasts ? readPasts(file) : readSets(file);
    if (leftOut > 0) console.error(`${file}: ${leftOut} series belong to no published data set and are left out.`);
    return sets;
  } catch (error) {
    return endWithUsage(`${file}: ${(error as Error).message}`);
  }
}

function readPage(): string {
  const page = readFileSync(PAGE, 'utf8');
  try {
    requirePlace(page);
  } catch (error) {
    endWithUsage(`docs/models.md: ${(error as Error).message}`);
  }
  return page;
}

function shortCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

function endWithUsage(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}
