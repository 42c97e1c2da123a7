import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

const TOP_TEN = [
  'API1:2023 Broken Object Level Authorization',
  'API2:2023 Broken Authentication',
  'API3:2023 Broken Object Property Level Authorization',
  'API4:2023 Unrestricted Resource Consumption',
  'API5:2023 Broken Function Level Authorization',
  'API6:2023 Unrestricted Access to Sensitive Business Flows',
  'API7:2023 Server Side Request Forgery',
  'API8:2023 Security Misconfiguration',
  'API9:2023 Improper Inventory Management',
  'API10:2023 Unsafe Consumption of APIs',
];

/** A section of the page and the tests that it lists. */
interface Section {
  readonly title: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/**
 * Reads the sections of the page. A test is listed below the file that declares it, which a test file may import:
 * "- `path`" and, under it, "  - name".
 */
function readSections(): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n');
      let file: string | undefined;
      const tests: { file: string; name: string }[] = [];
      for (const line of lines) {
        file = /^- `([^`]+\.ts)`$/.exec(line)?.[1] ?? (line.startsWith('  - ') ? file : undefined);
        const name = /^ {2}- (.+)$/.exec(line)?.[1];
        if (file !== undefined && name !== undefined) tests.push({ file, name });
      }
      return { title, tests };
    });
}

/** Returns patterns for the names of the tests in a file; a placeholder in a name matches any text. */
function declaredIn(file: string): RegExp[] {
  const source = readFileSync(join(root, file), 'utf8');
  const declarations = source.matchAll(
    /\b(?:test|race|onService|forEachDatabase|forEachService)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g,
  );
  return Array.from(declarations, ([, quote, written = '']) => {
    const name = written.replaceAll(/\\(.)/g, '$1');
    const parts = quote === '`' ? name.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/) : [name];
    // The name of the database at the end is left out of the page.
    if (parts.at(-1) === ']') parts.splice(-2, 2, (parts.at(-2) ?? '').replace(/ \[$/, ''));
    return new RegExp(`^${parts.map(escaped).join('.+')}$`);
  });
}

const sections = readSections();

test('the page lists the OWASP top ten in order, each with tests', () => {
  const ten = sections.filter(({ title }) => title.startsWith('API'));
  assert.deepEqual(
    ten.map(({ title }) => title),
    TOP_TEN,
  );
  for (const { title, tests } of ten) assert.ok(tests.length >= 3, title);
});

test('every test that the page lists exists', () => {
  const named = sections.flatMap(({ tests }) => tests);
  assert.ok(named.length > 50);
  const missing = named.filter(
    ({ file, name }) => !existsSync(join(root, file)) || !declaredIn(file).some((declared) => declared.test(name)),
  );
  assert.deepEqual(missing, []);
});

test('every line of the page that looks like a test or a file is parsed as one', () => {
  const files = page.split('\n').filter((line) => line.includes('.test.ts'));
  const names = page.split('\n').filter((line) => /^\s+[-*] /.test(line));
  const read = sections.flatMap(({ tests }) => tests);
  assert.equal(names.length, read.length);
  assert.deepEqual(
    files.filter((line) => !/^- `[^`]+\.test\.ts`$/.test(line)),
    [],
  );
});

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
