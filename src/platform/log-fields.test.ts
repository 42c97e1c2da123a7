import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/** The fields that every line has, and those that the log itself adds. */
const COMMON = ['level', 'time', 'msg', 'request_id'];

/** Fields that are not written where the log is called: objects with a name, and spread ones. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'src/compose/cleanup.ts details': ['removed', 'seconds', 'continues'],
  'src/datasets/listing/find-series.ts details': ['err', 'provider'],
  'src/datasets/listing/refresh-listing.ts ...sizes': ['entries', 'members', 'earlier'],
  'src/market/directory/refresh-listing.ts ...sizes': ['entries', 'active', 'earlier'],
  'src/market/store/store-days.ts name': ['provider', 'symbol', 'frequency', 'adjustment'],
  'src/platform/queue/boss-queue.ts details': ['err', 'queue', 'job'],
  'src/provenance/chain/chain-round.ts fields': [],
  'src/provenance/chain/chain-stamper.ts fields': ['code', 'problem'],
  'src/provenance/chain/send-transactions.ts fields': ['transaction', 'code', 'reason'],
};

const CALL =
  /(?:(?:\b|#)log(?:ger)?\??(?:\.(?:debug|info|warn|error|fatal)|\[[^\]]*\])\(|\bwarnOnce\(|\blogOnce\(.\w+., )\s*/g;

test('docs/operations.md lists the fields that the log writes, and no others', () => {
  const found = new Set(COMMON);
  const used = new Set<string>();
  for (const file of globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/**/*.test.ts', 'src/engine/**'] })) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const call of text.matchAll(CALL)) {
      for (const field of readFields(text.slice(call.index + call[0].length))) {
        const place = `${file} ${field}`;
        const isName = /^\w+$/.test(field) && !(place in ELSEWHERE);
        if (!isName) used.add(place);
        for (const name of isName ? [field] : (ELSEWHERE[place] ?? [`of ${place}, which this test does not know`])) {
          found.add(name);
        }
      }
    }
  }
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, section = ''] = /\n### Fields\n([\s\S]*?)\n## /.exec(page) ?? [];
  const documented = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  assert.ok(found.size > 60);
  assert.deepEqual(documented.toSorted(), [...found].sort());
  assert.deepEqual([...used].sort(), Object.keys(ELSEWHERE).sort());
});

/** Returns the fields of the first argument: names of an object literal, spread objects, or the name of the argument. */
function readFields(rest: string): string[] {
  if (/^['"`]/.test(rest)) return [];
  if (!rest.startsWith('{')) return [/^\w+/.exec(rest)?.[0] ?? rest.slice(0, 40)];
  const parts = [''];
  let depth = 0;
  for (const letter of rest) {
    if ('})]'.includes(letter)) depth -= 1;
    if (depth === 0 && letter === '}') break;
    if (letter === ',' && depth === 1) parts.push('');
    else if (depth > 0) parts[parts.length - 1] += letter;
    if ('{(['.includes(letter)) depth += 1;
  }
  const fields = parts.map((part) => part.trim()).filter((part) => part !== '');
  return fields.map((part) => /^(?:\.\.\.)?\w+/.exec(part)?.[0] ?? part);
}
