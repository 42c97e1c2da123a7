import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLE_PROOF } from '../../../../test/support/forecasts/example-proof.ts';
import {
  type ProofFile,
  stampedProofFile,
  stampedRevisionFile,
} from '../../../../test/support/forecasts/proof-file.ts';
import { contentId as idOf, MAX_PROOF_SIZE, verifyProof } from '../../../provenance/index.ts';
import { contentId, MAX_PROOF_SIZE as MAX_PAGE_SIZE } from './content-id.js';
import { verifyText } from './verdict.js';

const OLD_FILE = JSON.stringify({ document: EXAMPLE_PROOF, content_cid: idOf(EXAMPLE_PROOF) });
const FILES = [OLD_FILE, JSON.stringify(stampedProofFile()), JSON.stringify(stampedRevisionFile())];

test('computes the content id of any document as the service does', async () => {
  const anyDocument = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }));
  const hash = fc.constantFrom({}, { hash: 'sha3-256' }, { hash: 'sha-1' }, { hash: null });
  const attempt = (compute: () => string | Promise<string>) =>
    Promise.resolve()
      .then(compute)
      .catch((error) => error.constructor.name);
  await fc.assert(
    fc.asyncProperty(anyDocument, hash, async (fields, seal) => {
      const document = JSON.parse(JSON.stringify({ ...fields, ...seal }));
      assert.equal(await attempt(() => contentId(document)), await attempt(() => idOf(document)));
    }),
    { seed: 1, numRuns: 300 },
  );
  assert.equal(MAX_PAGE_SIZE, MAX_PROOF_SIZE);
});

test('describes a stamped forecast and what follows if its chain confirms the receipt', async () => {
  const file = stampedProofFile((document) => Object.assign(document, { surprise: 1 }));
  for (const text of [JSON.stringify(file), JSON.stringify({ data: file, meta: { api_version: 'v1' } }, null, 2)]) {
    const verdict = await verifyText(text);
    assert.deepEqual([verdict.valid, verdict.contentCid, verdict.problems], [true, file.content_cid, []]);
    const facts = Object.fromEntries(verdict.facts);
    assert.equal(facts.Document, 'Forecast ef_1');
    assert.equal(facts.Predictions, '2, from 2026-04-01T00:00:00.000Z to 2026-05-01T00:00:00.000Z');
    assert.equal(facts['Fields unknown to this page'], 'surprise');
    assert.match(verdict.headline, /the receipt is for it\. Only the chain can confirm/);
    assert.match(
      verdict.findings.join('\n'),
      /^Recorded on chain 31337 in transaction 0x(7e){32} at 2026-03-01T10:01:00\.000Z by address 0xF39f.*, if that chain confirms it\.\nThen .* 2 of the 2 times that it predicts are later\.$/m,
    );
  }
});

test('describes a revision of an event', async () => {
  const verdict = await verifyText(JSON.stringify(stampedRevisionFile()));
  assert.deepEqual(verdict.problems, []);
  const facts = Object.fromEntries(verdict.facts);
  assert.equal(facts.Document, 'Revision 2 of event forecast evt_1');
  assert.equal(facts.Question, 'Will the harbor freeze before April?');
  assert.equal(facts.Probability, '0.25');
  assert.match(verdict.findings.join('\n'), /^Then .* That is before the deadline of its question\.$/m);
});

test('a proof without a receipt proves no time', async () => {
  const { provenance, ...file } = stampedProofFile();
  const waiting = (status: string, error_code: string | null, provider = 'vbase') => ({
    ...file,
    provenance: { ...provenance, provider, status, receipt: null, error_code },
  });
  for (const [content, receipt] of [
    [OLD_FILE, 'None in this file.'],
    [JSON.stringify({ ...file, provenance: null }), 'None in this file.'],
    [JSON.stringify(waiting('pending', 'OUT_OF_FUNDS')), 'The proof waits to be stamped. (OUT_OF_FUNDS)'],
    [JSON.stringify(waiting('stamping', null)), /^The stamp was sent/],
    [JSON.stringify(waiting('unavailable', 'NOT_SELECTED')), 'The proof is not stamped. (NOT_SELECTED)'],
    [JSON.stringify(waiting('unavailable', 'CHAIN_NOT_CONFIGURED', 'evm_merkle')), /^The proof is not stamped/],
  ] as const) {
    const { problems, headline, facts, findings } = await verifyText(content);
    assert.deepEqual(problems, []);
    assert.ok(verifyProof(content).valid);
    assert.match(headline, /It has no receipt\.$/);
    const shown = String(facts.find(([name]) => name === 'Receipt')?.[1]);
    if (typeof receipt === 'string') assert.equal(shown, receipt);
    else assert.match(shown, receipt);
    assert.match(findings.join(' '), /does not prove when the document was made/);
  }
});

const BAD_RECEIPTS: [RegExp, (file: ProofFile) => void][] = [
  [/^provenance\.provider/, ({ provenance }) => Object.assign(provenance, { provider: 'evm_merkle' })],
  [/^provenance\.schema_version/, ({ provenance }) => Object.assign(provenance, { schema_version: 'v2' })],
  [/^provenance\.content_cid/, ({ provenance }) => Object.assign(provenance, { content_cid: `0x${'00'.repeat(32)}` })],
  [/^provenance\.status/, ({ provenance }) => Object.assign(provenance, { status: 'done', receipt: null })],
  [/^provenance\.receipt: is missing/, ({ provenance }) => Object.assign(provenance, { receipt: null })],
  [/^provenance\.receipt: is not null/, ({ provenance }) => Object.assign(provenance, { status: 'pending' })],
  [/^provenance\.error_code: is not a text/, ({ provenance }) => Object.assign(provenance, { error_code: 7 })],
  [/^provenance\.error_code: is not null, but/, ({ provenance }) => (provenance.error_code = 'OUT_OF_FUNDS')],
  [
    /receipt\.object_cid/,
    ({ provenance }) => Object.assign(provenance.receipt, { object_cid: provenance.receipt.set_cid }),
  ],
  [/receipt\.set_cid/, ({ provenance }) => Object.assign(provenance.receipt, { set_cid: '0x5E' })],
  [/receipt\.transaction_hash/, ({ provenance }) => delete provenance.receipt.transaction_hash],
  [/receipt\.user_address/, ({ provenance }) => Object.assign(provenance.receipt, { user_address: '<b>' })],
  [/receipt\.user_label/, ({ provenance }) => Object.assign(provenance.receipt, { user_label: 1 })],
  [/receipt\.chain_id/, ({ provenance }) => Object.assign(provenance.receipt, { chain_id: 1.5 })],
  [/^provenance: has the field "note"/, ({ provenance }) => Object.assign(provenance, { note: 1 })],
  [/^provenance\.receipt: has the field/, ({ provenance }) => Object.assign(provenance.receipt, { note: 1 })],
  [/receipt\.set_cid: is not 0x/, ({ provenance }) => (provenance.receipt.set_cid = [provenance.receipt.set_cid])],
  [/status: is not pending/, ({ provenance }) => Object.assign(provenance, { status: ['pending'], receipt: null })],
  [/receipt\.timestamp: is not/, ({ provenance }) => (provenance.receipt.timestamp = '2026-02-30T00:00:00Z')],
  [/receipt\.timestamp/, ({ provenance }) => Object.assign(provenance.receipt, { timestamp: 'yesterday' })],
];

for (const [problem, change] of BAD_RECEIPTS) {
  test(`refuses a receipt with the problem ${problem.source}`, async () => {
    const file = structuredClone(stampedProofFile());
    change(file);
    const text = JSON.stringify(file);
    const { valid, problems, facts } = await verifyText(text);
    assert.deepEqual([valid, problems.length, facts.length], [false, 1, 0]);
    assert.match(problems[0] ?? '', problem);
    assert.equal(verifyProof(text).valid, false, 'as the command does');
  });
}

test('refuses a stamp that is older than its document, as the command does', async () => {
  for (const [file, field] of [
    [stampedProofFile(), 'completed_at'],
    [stampedRevisionFile(), 'created_at'],
  ] as const) {
    const made = Date.parse(file.document[field]);
    for (const [lagMs, isOlder] of [
      [15 * 60_000, false],
      [15 * 60_000 + 1, true],
    ] as const) {
      file.provenance.receipt.timestamp = new Date(made - lagMs).toISOString();
      const text = JSON.stringify(file);
      const { problems } = await verifyText(text);
      assert.deepEqual(problems, verifyProof(text).problems);
      assert.equal(
        problems.some((problem) => problem.includes(`is before ${field}`)),
        isOlder,
      );
    }
  }
});

test('a stamp at a time that the document predicts is not earlier', async () => {
  const findingsAt = async (file: ProofFile, timestamp: string) => {
    file.provenance.receipt.timestamp = timestamp;
    return (await verifyText(JSON.stringify(file))).findings.join(' ');
  };
  const forecast = stampedProofFile();
  assert.match(await findingsAt(forecast, '2026-03-31T23:59:59Z'), / 2 of the 2 times that it predicts are later\./);
  assert.match(await findingsAt(forecast, '2026-04-01T00:00:00Z'), / 1 of the 2 times that it predicts are later\./);
  const revision = stampedRevisionFile();
  assert.match(await findingsAt(revision, '2026-03-31T23:59:59Z'), /That is before the deadline/);
  assert.match(await findingsAt(revision, '2026-04-01T00:00:00Z'), /That is not before the deadline/);
});

const BAD_DOCUMENTS: [RegExp, () => ProofFile][] = [
  [/^schema_version/, () => stampedProofFile((document) => delete document.schema_version)],
  [/^kind/, () => stampedProofFile((document) => Object.assign(document, { kind: 'forecast' }))],
  [/^salt/, () => stampedProofFile((document) => Object.assign(document, { salt: 'short' }))],
  [/^hash: a document has both/, () => stampedProofFile((document) => delete document.salt)],
  [/^hash: a document has both/, () => stampedProofFile((document) => delete document.hash)],
  [/^hash: a revision has both/, () => stampedRevisionFile((document) => delete document.salt)],
  [/^hash: a revision has both/, () => stampedRevisionFile((document) => delete document.hash)],
  [/^forecast_id/, () => stampedProofFile((document) => Object.assign(document, { forecast_id: 1 }))],
  [/^created_at/, () => stampedProofFile((document) => delete document.created_at)],
  [/^completed_at: comes/, () => stampedProofFile((document) => (document.created_at = '2026-03-02T00:00:00Z'))],
  [/^result\.predictions: is not a list/, () => stampedProofFile((document) => delete document.result.predictions)],
  [
    /^result\.predictions: has a timestamp/,
    () => stampedProofFile((document) => (document.result.predictions[1].timestamp = 'soon')),
  ],
  [/^revision/, () => stampedRevisionFile((document) => Object.assign(document, { revision: 0 }))],
  [/^question/, () => stampedRevisionFile((document) => Object.assign(document, { question: '' }))],
  [/^probability/, () => stampedRevisionFile((document) => Object.assign(document, { probability: 2 }))],
  [/^resolution_deadline/, () => stampedRevisionFile((document) => delete document.resolution_deadline)],
  [
    /^created_at: is not before/,
    () => stampedRevisionFile((document) => (document.created_at = '2027-01-01T00:00:00Z')),
  ],
];

for (const [problem, make] of BAD_DOCUMENTS) {
  test(`refuses a document with the problem ${problem.source}`, async () => {
    const text = JSON.stringify(make());
    const { valid, problems } = await verifyText(text);
    assert.deepEqual([valid, problems.length], [false, 1]);
    assert.match(problems[0] ?? '', problem);
    assert.equal(verifyProof(text).valid, false, 'as the command does');
  });
}

test('refuses text that two parsers could read as different documents, and text that is not a proof', async () => {
  const bad = [
    '',
    'null',
    '[]',
    '{"content_cid":"0x"}',
    '"'.padEnd(100, '\\"'),
    OLD_FILE.slice(0, 300),
    OLD_FILE.replace('{', '{"data":{},'),
    OLD_FILE.replace('"rows":40', '"rows":NaN'),
    OLD_FILE.replace('"rows":40', '"rows":41,"rows":40'),
    OLD_FILE.replace('"rows":40', '"r\\u006fws" : 41,"rows":40'),
    OLD_FILE.replace('"seed":7', '"__proto__":{"seed":7}'),
    OLD_FILE.replace('"seed":7', '"seed":1e999'),
    OLD_FILE.replace('"seed":7', '"seed":"\\ud800"'),
    OLD_FILE.replace('"seed":7', '"\\udc00":7'),
    OLD_FILE.replace('"seed":7', `"seed":${'{"a":'.repeat(80)}1${'}'.repeat(80)}`),
    ' '.repeat(MAX_PROOF_SIZE + 1),
    `[${'0,'.repeat(300_000)}0]`,
    '['.repeat(1_000_000),
  ];
  for (const text of bad) {
    const { valid, contentCid, problems } = await verifyText(text);
    const command = verifyProof(text);
    assert.deepEqual([valid, contentCid, problems.length], [false, null, 1], text.slice(0, 40));
    assert.deepEqual([command.valid, command.content_cid], [false, null], text.slice(0, 40));
  }
});

test('accepts no changed text of another document, and computes the id that the command computes', async () => {
  const cut = fc.tuple(fc.constantFrom(...FILES), fc.nat(), fc.nat(5), fc.string({ unit: 'binary', maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(cut, async ([file, place, length, between]) => {
      const at = place % file.length;
      const text = file.slice(0, at) + between + file.slice(at + length);
      const page = await verifyText(text);
      const command = verifyProof(text);
      if (page.valid) assert.deepEqual(documentOf(text), documentOf(file));
      // The command also checks fields of the document that the page does not show.
      if (command.valid) assert.ok(page.valid, page.problems.join(' '));
      else if (page.valid) assert.doesNotMatch(command.problems.join(), /provenance|content_cid/);
      if (command.content_cid !== null) assert.equal(page.contentCid, command.content_cid);
    }),
    { seed: 3, numRuns: 1_000 },
  );
});

function documentOf(text: string): unknown {
  const { data, document } = JSON.parse(text);
  return document ?? data.document;
}

test('shortens the texts of a file', async () => {
  const long = 'x'.repeat(100_000);
  const shown = await verifyText(JSON.stringify(stampedRevisionFile((document) => (document.question = long))));
  const refused = await verifyText(JSON.stringify({ ...stampedProofFile(), content_cid: long }));
  assert.deepEqual([shown.valid, refused.valid], [true, false]);
  for (const text of [...shown.facts.flat(), ...shown.findings, ...refused.problems]) assert.ok(text.length <= 401);
});
