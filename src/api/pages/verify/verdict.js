import { contentId, findTextProblem, isObject } from './content-id.js';
import { describeDocument } from './document.js';
import { describeReceipt } from './receipt.js';

/**
 * @typedef {object} Verdict
 * @property {boolean} valid
 * @property {string | null} contentCid computed from the document; null if that is not possible
 * @property {string} headline
 * @property {readonly string[]} problems
 * @property {readonly Fact[]} facts the content of a valid file
 * @property {readonly string[]} findings what the file proves, and what it proves if a chain confirms its receipt
 *
 * @typedef {readonly [name: string, text: string]} Fact
 */

const MAX_PROBLEMS = 20;
/** Longer than every text of this page that contains two hashes. */
const MAX_SHOWN_LENGTH = 400;

/**
 * Verifies the text of a proof file: `{ document, content_cid, provenance }`, with or without the envelope of the API.
 * Files that are older than receipts have no `provenance`.
 *
 * @param {string} text
 * @returns {Promise<Verdict>}
 */
export async function verifyText(text) {
  const problem = findTextProblem(text);
  if (problem !== null) return refuse(problem);
  /** @type {unknown} */
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    return refuse('The file is not JSON.');
  }
  const file = hasOnly(content, ['data', 'meta']) && 'data' in content && 'meta' in content ? content.data : content;
  if (!hasOnly(file, ['document', 'content_cid', 'provenance'])) {
    return refuse('The file is not a proof. A proof has the fields document, content_cid and provenance.');
  }
  const { document, content_cid: claimed, provenance = null } = file;
  if (!isObject(document)) return refuse('document: is not an object.');
  if (typeof claimed !== 'string') return refuse('content_cid: is not a text.');
  let cid;
  try {
    cid = await contentId(document);
  } catch (error) {
    if (error instanceof RangeError) return refuse(error.message);
    return refuse('This browser computes SHA-256 only for pages from HTTPS. Open this page from HTTPS.');
  }
  const mismatch = cid === claimed ? [] : [`content_cid: the document’s is ${cid}, not ${JSON.stringify(claimed)}.`];
  const described = describeDocument(document);
  const receipt = describeReceipt(provenance, cid, described);
  return conclude(cid, [...mismatch, ...described.problems, ...receipt.problems], {
    headline: receipt.headline,
    facts: [...described.facts, ['Content id, computed from the document', cid], ...receipt.facts],
    findings: [
      `The document is exactly the one with the content id ${cid}. A change of any value gives it another id.`,
      ...receipt.findings,
    ],
  });
}

/**
 * @param {unknown} value
 * @param {readonly string[]} keys
 * @returns {value is Readonly<Record<string, unknown>>}
 */
function hasOnly(value, keys) {
  return isObject(value) && Object.keys(value).every((key) => keys.includes(key));
}

/** @param {string} problem */
function refuse(problem) {
  return conclude(null, [problem], { headline: '', facts: [], findings: [] });
}

/**
 * @param {string | null} contentCid
 * @param {readonly string[]} problems
 * @param {Pick<Verdict, 'headline' | 'facts' | 'findings'>} content for a file without problems
 * @returns {Verdict}
 */
function conclude(contentCid, problems, { headline, facts, findings }) {
  if (problems.length === 0) {
    return {
      valid: true,
      contentCid,
      headline,
      problems: [],
      facts: facts.map(([name, text]) => [name, shorten(text)]),
      findings: findings.map(shorten),
    };
  }
  const shown = problems.slice(0, MAX_PROBLEMS).map(shorten);
  if (problems.length > MAX_PROBLEMS) shown.push('There are more problems.');
  // The content of an invalid file is not shown, because a reader could take it for a forecast.
  return {
    valid: false,
    contentCid,
    headline: 'This file is not a valid proof.',
    problems: shown,
    facts: [],
    findings: [],
  };
}

/** @param {string} text */
function shorten(text) {
  return (text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text).toWellFormed();
}
