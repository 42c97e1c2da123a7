import { z } from 'zod';
import { fieldPath } from '../contract/index.ts';
import { refusalOfText } from './ambiguous-text.ts';
import { contentId } from './content-id.ts';
import { doubtfulClaims } from './doubtful-claims.ts';
import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { proofSchema } from './proof-schema.ts';
import { unwritableValues } from './unwritable-values.ts';

export interface Verdict {
  readonly valid: boolean;
  /** The id that the document has, whatever the file claims; null where it has none. */
  readonly content_cid: string | null;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
const LONGEST_PROBLEM = 200;

const file = z.strictObject({ document: z.record(z.string(), z.unknown()), content_cid: z.string() });
const envelope = z.strictObject({ data: z.unknown(), meta: z.unknown() });

/**
 * Checks a proof as the service gives it out, `{ document, content_cid }`, bare or in its envelope. Needs nothing but
 * the text, which may be anything.
 */
export function verifyProof(text: string): Verdict {
  const refusal = refusalOfText(text);
  if (refusal !== null) return verdict(null, [refusal]);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return verdict(null, [`The file is not JSON: ${(error as Error).message}.`]);
  }
  const opened = envelope.safeParse(content);
  const read = file.safeParse(opened.success ? opened.data.data : content);
  if (!read.success) return verdict(null, issuesOf('file', read.error));
  const unwritable = firstOf(unwritableValues(read.data.document));
  if (unwritable.length > 0) return verdict(null, unwritable);

  const cid = contentId(read.data.document);
  const claimed = read.data.content_cid;
  const mismatch = cid === claimed ? [] : [`content_cid: the document's is ${cid}, not ${JSON.stringify(claimed)}.`];
  return verdict(cid, [...mismatch, ...problemsOf(read.data.document)]);
}

function problemsOf(document: Readonly<Record<string, unknown>>): string[] {
  // Before the form, which is another one in another version.
  if (document.schema_version !== PROOF_SCHEMA_VERSION) {
    return [`schema_version: is not ${PROOF_SCHEMA_VERSION}, the one that can be verified here.`];
  }
  const proof = proofSchema.safeParse(document);
  return proof.success ? firstOf(doubtfulClaims(proof.data)) : issuesOf('document', proof.error);
}

/** One more than are shown, so that it shows that there are more. */
function firstOf(problems: Iterable<string>): string[] {
  const first: string[] = [];
  for (const problem of problems) if (first.push(problem) > MAX_PROBLEMS) break;
  return first;
}

function issuesOf(whole: string, { issues }: z.ZodError): string[] {
  return issues
    .slice(0, MAX_PROBLEMS + 1)
    .map(({ path, message }) => `${path.length > 0 ? fieldPath(path) : whole}: ${message}.`);
}

function verdict(contentCid: string | null, problems: readonly string[]): Verdict {
  // The texts quote the file, which may be long and malicious.
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => shorten(problem).toWellFormed());
  if (problems.length > MAX_PROBLEMS) shown.push('There are more problems.');
  return { valid: problems.length === 0, content_cid: contentCid, problems: shown };
}

function shorten(problem: string): string {
  return problem.length > LONGEST_PROBLEM ? `${problem.slice(0, LONGEST_PROBLEM)}…` : problem;
}
