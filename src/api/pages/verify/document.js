import { isObject } from './content-id.js';

/**
 * @typedef {import('./verdict.js').Fact} Fact
 * @typedef {Readonly<Record<string, unknown>>} Fields
 *
 * @typedef {object} DescribedDocument
 * @property {readonly string[]} problems
 * @property {readonly Fact[]} facts
 * @property {StatedTime | null} made null if the document has problems
 * @property {(instant: string) => string} compareWith compares an instant with those that the document predicts
 *
 * @typedef {object} StatedTime when the document was made
 * @property {string} field the field that states it
 * @property {string} instant
 */

export const SCHEMA_VERSION = 'almanac_forecast_proof_v1';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

const SHARED_FIELDS = ['schema_version', 'hash', 'salt', 'forecast_id', 'created_at'];
const FORECAST_FIELDS = ['completed_at', 'input', 'settings', 'checkpoints', 'fingerprint', 'result'];
const REVISION_FIELDS = [
  ...['kind', 'revision', 'question', 'category', 'entity', 'possible_future_headline', 'probability'],
  ...['input_cutoff_at', 'resolution_deadline', 'resolution_rule', 'model', 'source_forecast', 'note'],
];

/**
 * Checks and describes the fields of a document that the page shows.
 *
 * @param {Fields} document
 * @returns {DescribedDocument}
 */
export function describeDocument(document) {
  const { schema_version: version, kind } = document;
  if (version !== SCHEMA_VERSION) return refuse(`schema_version: is not ${SCHEMA_VERSION}, the only known version.`);
  if (kind !== undefined && kind !== 'event_revision') {
    return refuse('kind: is not event_revision, the only kind besides a forecast, which has none.');
  }
  const isRevision = kind !== undefined;
  const known = [...SHARED_FIELDS, ...(isRevision ? REVISION_FIELDS : FORECAST_FIELDS)];
  const unknown = Object.keys(document).filter((key) => !known.includes(key));
  const described = isRevision ? describeRevision(document) : describeForecast(document);
  return {
    ...described,
    problems: [
      ...(isName(document.forecast_id) ? [] : ['forecast_id: is not a text.']),
      ...(isInstant(document.created_at) ? [] : ['created_at: is not a time in UTC.']),
      ...(document.salt === undefined || isSalt(document.salt) ? [] : ['salt: is not 64 hexadecimal digits.']),
      ...findSealProblems(document, isRevision),
      ...described.problems,
    ],
    facts: [
      ...described.facts,
      ...(unknown.length === 0 ? [] : [/** @type {Fact} */ (['Fields unknown to this page', unknown.join(', ')])]),
    ],
  };
}

/**
 * @param {string} problem
 * @returns {DescribedDocument}
 */
function refuse(problem) {
  return { problems: [problem], facts: [], made: null, compareWith: () => '' };
}

/**
 * @param {Fields} document
 * @returns {DescribedDocument}
 */
function describeForecast({ forecast_id: id, created_at: createdAt, completed_at: completedAt, result }) {
  if (!isInstant(completedAt)) return refuse('completed_at: is not a time in UTC.');
  if (isInstant(createdAt) && Date.parse(completedAt) < Date.parse(createdAt)) {
    return refuse('completed_at: comes before created_at.');
  }
  const predictions = isObject(result) ? result.predictions : null;
  if (!Array.isArray(predictions)) return refuse('result.predictions: is not a list.');
  const times = predictions.map((one) => (isObject(one) ? one.timestamp : null));
  if (!times.every(isInstant)) return refuse('result.predictions: has a timestamp that is not a time in UTC.');
  const range = times.length === 0 ? '' : `, from ${times[0]} to ${times.at(-1)}`;
  return {
    problems: [],
    facts: [
      ['Document', `Forecast ${id}`],
      ['Completed, as the document states', completedAt],
      ['Predictions', `${times.length}${range}`],
    ],
    made: { field: 'completed_at', instant: completedAt },
    compareWith: (instant) => {
      const later = times.filter((time) => Date.parse(time) > Date.parse(instant)).length;
      return `${later} of the ${times.length} times that it predicts are later.`;
    },
  };
}

/**
 * @param {Fields} document
 * @returns {DescribedDocument}
 */
function describeRevision(document) {
  const {
    forecast_id: id,
    revision,
    question,
    probability,
    created_at: createdAt,
    resolution_deadline: due,
  } = document;
  if (!Number.isSafeInteger(revision) || Number(revision) < 1) return refuse('revision: is not a number from 1.');
  if (!isName(question)) return refuse('question: is not a text.');
  if (typeof probability !== 'number' || probability < 0 || probability > 1) {
    return refuse('probability: is not a number from 0 to 1.');
  }
  if (!isInstant(due)) return refuse('resolution_deadline: is not a time in UTC.');
  if (isInstant(createdAt) && Date.parse(createdAt) >= Date.parse(due)) {
    return refuse('created_at: is not before resolution_deadline.');
  }
  return {
    problems: [],
    facts: [
      ['Document', `Revision ${revision} of event forecast ${id}`],
      ['Created, as the document states', String(createdAt)],
      ['Question', question],
      ['Probability', String(probability)],
      ['Deadline of the question', due],
    ],
    made: isInstant(createdAt) ? { field: 'created_at', instant: createdAt } : null,
    compareWith: (instant) =>
      `That is ${Date.parse(instant) < Date.parse(due) ? 'before' : 'not before'} the deadline of its question.`,
  };
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
export function isInstant(value) {
  if (typeof value !== 'string' || !INSTANT.test(value) || Number.isNaN(Date.parse(value))) return false;
  // Parsers accept February 30 as March 2.
  return new Date(value).toISOString().slice(0, 10) === value.slice(0, 10);
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
function isName(value) {
  return typeof value === 'string' && value !== '';
}

/** @param {unknown} value */
function isSalt(value) {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/**
 * Forecasts that were made before documents had a seal lack both fields. Revisions always have them.
 *
 * @param {Fields} document
 * @param {boolean} isRevision
 * @returns {Generator<string>}
 */
function* findSealProblems({ hash, salt }, isRevision) {
  if (isRevision && (hash === undefined || salt === undefined)) yield 'hash: a revision has both hash and salt.';
  else if ((hash === undefined) !== (salt === undefined)) yield 'hash: a document has both hash and salt or neither.';
}
