import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { anchorOf, renderTerm, TERMS, type Term } from './terms.ts';

const GLOSSARY = readFileSync(join(import.meta.dirname, '../../../../docs/glossary.md'), 'utf8');

/** Returns the words of a section of the glossary with their meanings. */
function readTable(section: string): Map<string, string> {
  const [, text = ''] = GLOSSARY.split(`## ${section}\n`);
  const [table = ''] = text.split('\n## ');
  const rows = table.matchAll(/^\| (?!Word|---)([^|]+?) \| ([^|]+?) \|/gm);
  return new Map([...rows].map(([, word = '', meaning = '']) => [word, meaning]));
}

test('pages explain words as the glossary does, in the order of the alphabet', () => {
  const words = readTable('The words on pages');
  assert.ok(words.size > 40, 'the table was found');
  assert.deepEqual(Object.fromEntries(words), TERMS);
  const order = Object.keys(TERMS).map((word) => word.toLowerCase());
  assert.deepEqual(order, order.toSorted());
});

test('every word that pages explain is a word of the project', () => {
  const words = readTable('The words');
  assert.deepEqual(
    Object.keys(TERMS).filter((word) => !words.has(word)),
    [],
  );
});

test('a word that a page explains twice has two meanings to open, and one place on the page of all words', () => {
  const ids = [renderTerm('fan'), renderTerm('fan', 'Fan')].map(({ text }) => {
    const [, target = ''] = /popovertarget="([^"]+)"/.exec(text) ?? [];
    assert.ok(text.includes(`id="${target}" popover`), text);
    assert.ok(text.includes('href="/glossary#fan"'), text);
    return target;
  });
  assert.notEqual(ids[0], ids[1]);
  const places = (Object.keys(TERMS) as Term[]).map(anchorOf);
  assert.equal(new Set(places).size, places.length);
  for (const place of places) assert.match(place, /^[a-z-]+$/);
});
