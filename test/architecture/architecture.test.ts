import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FLOORS, floorOf, OPEN_FILES, PURE_ROOMS } from './floors.ts';
import { allImports, readSource, roomOf, sourceFiles } from './imports.ts';

const imports = allImports();

test('every source file is in a room', () => {
  const homeless = sourceFiles().filter((file) => floorOf(roomOf(file)) === -1);
  assert.deepEqual(homeless, []);
  assert.ok(imports.length > 100, 'the imports were read');
});

test('a room imports lower floors only', () => {
  const upward = imports
    .filter(
      ({ from, to }) => to !== null && roomOf(from) !== roomOf(to) && floorOf(roomOf(to)) >= floorOf(roomOf(from)),
    )
    .map(({ from, to }) => `${from} -> ${to}`);
  assert.deepEqual(upward, []);
});

test('a room is entered through its index.ts or through an open file, which imports only open files', () => {
  const throughTheWindow = imports
    .filter(
      ({ from, to }) =>
        to !== null &&
        roomOf(from) !== roomOf(to) &&
        to.includes('/') &&
        !/^[^/]+\/index\.ts$/.test(to) &&
        !OPEN_FILES.includes(to),
    )
    .map(({ from, to }) => `${from} -> ${to}`);
  assert.deepEqual(throughTheWindow, []);
  assert.deepEqual(
    imports.filter(
      ({ from, to, specifier }) =>
        OPEN_FILES.includes(from) && !(to === null ? specifier.startsWith('node:') : OPEN_FILES.includes(to)),
    ),
    [],
  );
  for (const file of OPEN_FILES) assert.ok(sourceFiles().includes(file), file);
});

test('a page of the console imports no domain: it reads and changes data through the operations of the contract', () => {
  const allowed = ['api', 'contract', 'access', 'calendar', 'charts', 'platform', 'wording'];
  const pages = imports.filter(({ from }) => from.startsWith('api/pages/console/') && !from.endsWith('.test.ts'));
  assert.ok(pages.length > 10, 'the imports were read');
  const domains = pages
    .filter(({ to }) => to !== null && !allowed.includes(roomOf(to)))
    .map(({ from, to }) => `${from} -> ${to}`);
  assert.deepEqual(domains, []);
});

test('a thread that fits models loads no packages, so that it starts quickly and takes little memory', () => {
  const loaded = new Set<string>();
  const packages = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { to, specifier } of imports.filter(({ from }) => from === file)) {
      if (to !== null) load(to);
      else if (!specifier.startsWith('node:')) packages.add(`${file} -> ${specifier}`);
    }
  };
  load('compute/fit-thread.ts');
  assert.ok(loaded.has('engine/forecast.ts'), 'the imports were followed');
  assert.deepEqual([...packages], []);
});

test('no files import each other in a circle', () => {
  const next = Map.groupBy(
    imports.filter(({ to }) => to !== null),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
    if (done.has(file) || trail.includes(file)) return;
    for (const { to } of next.get(file) ?? []) if (to !== null) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of sourceFiles()) visit(file, []);
  assert.deepEqual(circles, []);
});

test('pure rooms touch no clock, database, thread, file or network', () => {
  const impure = imports
    .filter(({ from, specifier }) => PURE_ROOMS.includes(roomOf(from)) && /^(node:|pg$|kysely|fastify)/.test(specifier))
    .map(({ from, specifier }) => `${from} -> ${specifier}`);
  assert.deepEqual(impure, []);
  const restless = sourceFiles()
    .filter((file) => PURE_ROOMS.includes(roomOf(file)))
    .filter((file) => /Date\.now\(|new Date\(\)|performance\.now|Math\.random/.test(readSource(file)));
  assert.deepEqual(restless, []);
});

test('the engine and the charts calculate the same bits on every processor', () => {
  const differs =
    /Math\.(a?sinh?|a?cosh?|a?tanh?|atan2|exp(m1)?|log(1p|2|10)?|pow|cbrt|hypot)\b|(?<!\/)\*\*(?!\/| 2\b(?!\.)| ?=)/;
  const powerOfTwo = /\b2 \*\* \d+\b/g;
  const lines = sourceFiles()
    .filter((file) => ['engine', 'charts'].includes(roomOf(file)))
    .flatMap((file) => readCode(file).map((line) => [file, line] as const))
    .filter(([, line]) => differs.test(line.replace(powerOfTwo, '')));
  assert.deepEqual(lines, [], 'use numerics/elementary.ts and numerics/trigonometric.ts');
});

/** Returns the lines of a source file without comments. */
function readCode(file: string): string[] {
  return readSource(file)
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\*\*|\*|\/\/).*|\/\/.*/, ''));
}

test('the floors name no room twice', () => {
  const rooms = FLOORS.flat();
  assert.equal(new Set(rooms).size, rooms.length);
});
