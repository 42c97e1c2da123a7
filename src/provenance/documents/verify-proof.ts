import { z } from 'zod';
import type { ProofKind } from '../receipts/tables.ts';
import { findTextProblem } from './ambiguous-text.ts';
import { contentId, findUnhashable } from './content-ids.ts';
import { checkDocument } from './document-form.ts';
import { formatIssues, limitTexts } from './problem-texts.ts';
import { checkReceipt, type ReceiptState, type StatedStamp } from './receipt-form.ts';

/** The verdict on a proof file, from the file alone. */
export interface Verdict {
  readonly valid: boolean;
  /** The content id computed from the document, whatever the file claims; null if it cannot be computed. */
  readonly content_cid: string | null;
  readonly kind: ProofKind | null;
  readonly problems: readonly string[];
  /** The paths of fields that the schema does not have. They are hashed, but their content is not checked. */
  readonly unknown_fields: readonly string[];
  readonly receipt: ReceiptState;
}

/** A proof file after it was read. */
export interface ExaminedProof {
  readonly verdict: Verdict;
  /** The stamp of a valid proof; null if it has none. */
  readonly stamp: StatedStamp | null;
}

const file = z.strictObject({
  document: z.record(z.string(), z.unknown()),
  content_cid: z.string(),
  // Files that were issued before receipts were part of them lack it.
  provenance: z.unknown().optional(),
});
const envelope = z.strictObject({ data: z.unknown(), meta: z.unknown() });

/**
 * Verifies a proof as the service returns it, `{ document, content_cid, provenance }`, with or without the envelope of
 * the response. Accepts any text and needs no other input.
 */
export function verifyProof(text: string): Verdict {
  return examineProof(text).verdict;
}

/** Verifies a proof like `verifyProof`, and returns its stamp as well, which a chain can confirm. */
export function examineProof(text: string): ExaminedProof {
  const problem = findTextProblem(text);
  if (problem !== null) return unreadable([problem]);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return unreadable([`The file is not JSON: ${(error as Error).message}.`]);
  }
  const opened = envelope.safeParse(content);
  const read = file.safeParse(opened.success ? opened.data.data : content);
  if (!read.success) return unreadable(formatIssues(read.error.issues, 'file'));
  const { document, content_cid: claimed, provenance } = read.data;
  const unhashable = limitTexts(findUnhashable(document), MORE_PROBLEMS);
  if (unhashable.length > 0) return unreadable(unhashable);

  const cid = contentId(document);
  const { kind, problems, unknownFields, made } = checkDocument(document);
  const receipt = checkReceipt(provenance, cid, made);
  const mismatch = cid === claimed ? [] : [`content_cid: the document's is ${cid}, not ${JSON.stringify(claimed)}.`];
  const all = limitTexts([...mismatch, ...receipt.problems, ...problems], MORE_PROBLEMS);
  const valid = all.length === 0;
  const verdict = {
    valid,
    content_cid: cid,
    kind,
    problems: all,
    unknown_fields: limitTexts(unknownFields, 'There are more unknown fields.'),
    receipt: receipt.state,
  };
  return { verdict, stamp: valid ? receipt.stamp : null };
}

const MORE_PROBLEMS = 'There are more problems.';

function unreadable(problems: Iterable<string>): ExaminedProof {
  const verdict = {
    valid: false,
    content_cid: null,
    kind: null,
    problems: limitTexts(problems, MORE_PROBLEMS),
    unknown_fields: [],
    receipt: 'absent',
  } as const;
  return { verdict, stamp: null };
}
