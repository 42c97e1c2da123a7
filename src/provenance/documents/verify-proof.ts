import { z } from 'zod';
import { formatFieldPath } from '../../contract/index.ts';
import { findTextProblem } from './ambiguous-text.ts';
import { contentId, findUnhashable } from './content-ids.ts';
import { EVENT_REVISION_KIND, eventRevisionProofSchema, findImplausibleRevision } from './event-revision-proof.ts';
import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { forecastProofSchema } from './forecast-proof-schema.ts';
import { findImplausibleForecast } from './implausible-forecast.ts';

export interface Verdict {
  readonly valid: boolean;
  /** The content id computed from the document, whatever the file claims; null if it cannot be computed. */
  readonly content_cid: string | null;
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
const MAX_PROBLEM_LENGTH = 200;

const file = z.strictObject({ document: z.record(z.string(), z.unknown()), content_cid: z.string() });
const envelope = z.strictObject({ data: z.unknown(), meta: z.unknown() });

/**
 * Verifies a proof as the service returns it, `{ document, content_cid }`, with or without the envelope of the
 * response. Accepts any text and needs no other input.
 */
export function verifyProof(text: string): Verdict {
  const problem = findTextProblem(text);
  if (problem !== null) return verdict(null, [problem]);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return verdict(null, [`The file is not JSON: ${(error as Error).message}.`]);
  }
  const opened = envelope.safeParse(content);
  const read = file.safeParse(opened.success ? opened.data.data : content);
  if (!read.success) return verdict(null, formatIssues('file', read.error));
  const unhashable = takeProblems(findUnhashable(read.data.document));
  if (unhashable.length > 0) return verdict(null, unhashable);

  const cid = contentId(read.data.document);
  const claimed = read.data.content_cid;
  const mismatch = cid === claimed ? [] : [`content_cid: the document's is ${cid}, not ${JSON.stringify(claimed)}.`];
  return verdict(cid, [...mismatch, ...findProblems(read.data.document)]);
}

function findProblems(document: Readonly<Record<string, unknown>>): string[] {
  // Checked before the schema, which differs between versions.
  if (document.schema_version !== PROOF_SCHEMA_VERSION) {
    return [`schema_version: is not ${PROOF_SCHEMA_VERSION}, the only version that can be verified.`];
  }
  if (document.kind === EVENT_REVISION_KIND) {
    const proof = eventRevisionProofSchema.safeParse(document);
    return proof.success ? takeProblems(findImplausibleRevision(proof.data)) : formatIssues('document', proof.error);
  }
  if (document.kind !== undefined) {
    return [`kind: is not ${EVENT_REVISION_KIND}. Other documents that can be verified have no kind.`];
  }
  const proof = forecastProofSchema.safeParse(document);
  return proof.success ? takeProblems(findImplausibleForecast(proof.data)) : formatIssues('document', proof.error);
}

/** Returns one more problem than is shown, so that `verdict` can report that there are more. */
function takeProblems(problems: Iterable<string>): string[] {
  const first: string[] = [];
  for (const problem of problems) if (first.push(problem) > MAX_PROBLEMS) break;
  return first;
}

function formatIssues(whole: string, { issues }: z.ZodError): string[] {
  return issues
    .slice(0, MAX_PROBLEMS + 1)
    .map(({ path, message }) => `${path.length > 0 ? formatFieldPath(path) : whole}: ${message}.`);
}

function verdict(contentCid: string | null, problems: readonly string[]): Verdict {
  // The problems quote the file, which may be long and malicious.
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => shorten(problem).toWellFormed());
  if (problems.length > MAX_PROBLEMS) shown.push('There are more problems.');
  return { valid: problems.length === 0, content_cid: contentCid, problems: shown };
}

function shorten(problem: string): string {
  return problem.length > MAX_PROBLEM_LENGTH ? `${problem.slice(0, MAX_PROBLEM_LENGTH)}…` : problem;
}
