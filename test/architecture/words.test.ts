import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildOpenApi } from '../../src/contract/index.ts';

const root = join(import.meta.dirname, '../..');

/** Words of `docs/glossary.md` that the project does not use, each with the word to use instead. */
const UNUSED_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwho(m)?(so)?ever\b/i, 'the caller, any account that …'],
  [/licen[c]e/i, 'license'],
  [/cancell(ed|ing)/i, 'canceled, canceling'],
  [/behaviour|colour|honour|favour|neighbour|catalogue|artefact|centre\b|grey\b/i, 'American spelling'],
  [
    /(summar|minim|maxim|optim|normal|standard|stabil|recogn|initial|serial|organ|author|general|emphas|util|parameter|real|final|character|categor|memor|synchron|token|material|priorit)is(e|ed|es|ing|ation)\b/i,
    '-ize',
  ],
  [/\bamongst\b|\bwhilst\b|\bthereof\b|\btherein\b|\bhereby\b|\bwherein\b|\bthereby\b|\bhenceforth\b/i, 'a plain word'],
  [/(?<!there )\bis no (?!longer|more|less|other|different|such)[a-z]+\b/i, 'is not a …'],
  [/(?<!there )\bare no (?!longer|more|less|other|different|such)[a-z]+\b/i, 'are not …'],
  [/\b(nobody|somebody|everybody|anybody)\b/i, 'no caller, another account, every caller …'],
  [/(^|[.:;] |\/\*\* |\/\/ |\* |['"`])Who [a-z]/, 'The caller that …'],
  [/\b(MOST|LEAST)_[A-Z]/, 'MAX_, MIN_'],
  [/\bsay[A-Z]\w*\(/, 'format…'],
  [/\b(keepHouse|tellOf|isStillSo|readNews|asking\.|punctual|startOnce|notThere)\b/, 'the names of the glossary'],
];

/** Stored spellings and names of other projects. A line that matches one of these in such a file is not checked. */
const EXCEPTIONS: readonly (readonly [file: RegExp, line: RegExp])[] = [
  // The list itself.
  [/^docs\/glossary\.md$/, /./],
  [/^test\/architecture\/words\.test\.ts$/, /./],
  // License names, which are stored, and the setting that matches both spellings.
  [
    /^(src\/market\/providers\/bundled\/instruments|test\/forecasts\/licenses\.test)\.ts$/,
    /no licence is stated for the data/,
  ],
  [/^src\/access\/licenses(\.test)?\.ts$/, /licence/i],
  // The key of stored manifests, and a reason that stored results contain.
  [/^src\/compute\/checkpoints\/manifest\.ts$/, /licence/],
  [/^src\/compute\/checkpoints\/pull\/pull-checkpoint\.test\.ts$/, /licence: null/],
  [/^src\/compute\/checkpoints\/checkpoint\.ts$/, /its config\.json is no config/],
  // Stored license names.
  [/^src\/datasets\/bundled\/(bundled-series|series\/shiller)\.ts$/, /licence/],
  // A sentence about both spellings.
  [/^CHANGELOG\.md$/, /either spelling/],
  // A path of Eurostat's API.
  [/^(src\/datasets\/providers\/eurostat|test\/support\/datasets)\/eurostat-[a-z.-]+\.ts$/, /\/catalogue\/toc\/txt/],
  // A state of the protocol's tasks.
  [/^(src\/api\/mcp\/tasks|test\/mcp\/tasks)\.ts$/, /'cancelled'/],
  // A state of pg-boss.
  [/^test\/workspaces\/deletion\.test\.ts$/, /'cancelled'/],
  [/^test\/forecasts\/engine-queues\.test\.ts$/, /cancelled/],
  [/^src\/platform\/queue\/queue\.test\.ts$/, /\['cancelled'\]/],
  [/^test\/(forecasts\/(outcomes|races)|workspaces\/deletion)\.test\.ts$/, /'cancelled'/],
];

const FILES = [
  '{src,test,scripts,bench}/**/*.{ts,mjs,sh,md}',
  'clients/**/*.{py,md}',
  'docs/**/*.md',
  'deploy/**/*.{yml,json}',
  '*.md',
];

function unusedWords(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, i) => {
    if (EXCEPTIONS.some(([files, lines]) => files.test(file) && lines.test(line))) return [];
    return UNUSED_WORDS.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line);
      return found === null ? [] : [`${file}:${i + 1}: "${found[0].trim()}": ${instead}`];
    });
  });
}

test('source, tests and docs use the words of the glossary', () => {
  const files = globSync(FILES, { cwd: root }).sort();
  assert.ok(files.length > 500, 'the files were found');
  const found = files.flatMap((file) => unusedWords(file, readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(found, []);
});

test('the OpenAPI document uses the words of the glossary', () => {
  const document = JSON.stringify(buildOpenApi('https://almanac.example'), null, 1);
  assert.deepEqual(unusedWords('openapi.json', document), []);
});

test('the check finds each kind of unused word', () => {
  const examples = [
    'read it anew',
    'whoever asks',
    'a licence',
    'it was cancelled',
    'minimise it',
    'it is no number',
    'Who may read it',
  ];
  for (const example of examples) assert.equal(unusedWords('x.md', example).length, 1, example);
  assert.deepEqual(unusedWords('x.md', 'It is no longer there; a cancellation is canceled under this license.'), []);
});
