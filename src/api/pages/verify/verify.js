import { MAX_PROOF_SIZE } from './content-id.js';
import { verifyText } from './verdict.js';

/**
 * The types of the browser do not apply to the rest of the project, so the document of the page has none.
 * @type {any}
 */
const page = /** @type {any} */ (globalThis).document;

/** The number of the latest file: an earlier one that takes longer must not replace its verdict. */
let latest = 0;

const input = page.getElementById('file');
const text = page.getElementById('text');
const headline = page.getElementById('headline');
const details = page.getElementById('details');

page.getElementById('without-script').hidden = true;
page.getElementById('choose').hidden = false;
// Otherwise choosing a file again after it was changed would have no effect.
input.addEventListener('click', () => {
  input.value = '';
});
input.addEventListener('change', () => verifyFile(input.files[0]));
page.getElementById('verify-text').addEventListener('click', () => show(async () => text.value));
// Without these, a browser opens a file that is dropped, in place of the page.
page.addEventListener('dragover', (/** @type {any} */ event) => event.preventDefault());
page.addEventListener('drop', (/** @type {any} */ event) => {
  event.preventDefault();
  verifyFile(event.dataTransfer.files[0]);
});

/** @param {File | undefined} file */
function verifyFile(file) {
  if (file !== undefined) void show(() => readText(file));
}

/**
 * @param {File} file
 * @returns {Promise<string>}
 */
async function readText(file) {
  if (file.size > MAX_PROOF_SIZE) throw new RangeError(`The file has more than ${MAX_PROOF_SIZE} bytes.`);
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RangeError('The file is not text in UTF-8.');
  }
}

/**
 * Shows the verdict on a text. Everything from the file is set as text, never as markup.
 *
 * @param {() => Promise<string>} read
 */
async function show(read) {
  const number = ++latest;
  headline.className = 'soft';
  headline.textContent = 'Verifying …';
  details.replaceChildren();
  details.hidden = true;
  const shown = await verdictOn(read);
  if (number !== latest) return;
  headline.className = shown.valid ? 'notice' : 'alert';
  headline.textContent = shown.headline;
  details.append(...render(shown));
  details.hidden = false;
}

/** @param {() => Promise<string>} read */
async function verdictOn(read) {
  try {
    return await verifyText(await read());
  } catch (error) {
    // Browsers refuse to read a file that was removed or changed after it was chosen.
    const problem = error instanceof RangeError ? error.message : 'The file could not be read. Choose it again.';
    return { valid: false, headline: 'This file could not be verified.', problems: [problem], facts: [], findings: [] };
  }
}

/** @param {Pick<import('./verdict.js').Verdict, 'valid' | 'problems' | 'facts' | 'findings'>} verdict */
function render({ valid, problems, facts, findings }) {
  if (!valid) return [element('h2', 'Problems'), list(problems)];
  const pairs = facts.map(([name, value]) => {
    const pair = element('div');
    pair.append(element('dt', name), element('dd', value));
    return pair;
  });
  const described = element('dl');
  described.append(...pairs);
  return [element('h2', 'What the file proves'), list(findings), element('h2', 'What it contains'), described];
}

/** @param {readonly string[]} items */
function list(items) {
  const created = element('ul');
  created.className = 'ticks';
  created.append(...items.map((item) => element('li', item)));
  return created;
}

/**
 * @param {string} name
 * @param {string} content
 */
function element(name, content = '') {
  const created = page.createElement(name);
  created.textContent = content;
  return created;
}
