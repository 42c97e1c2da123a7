import type { z } from 'zod';
import { formatFieldPath } from '../../contract/index.ts';
import type { ProofKind } from '../receipts/tables.ts';
import { EVENT_REVISION_KIND, eventRevisionProofSchema, findImplausibleRevision } from './event-revision-proof.ts';
import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { forecastProofSchema } from './forecast-proof-schema.ts';
import { findImplausibleForecast } from './implausible-forecast.ts';
import { formatIssues } from './problem-texts.ts';

/** What is wrong with a document, apart from its id. */
export interface DocumentForm {
  readonly kind: ProofKind | null;
  readonly problems: Iterable<string>;
  readonly unknownFields: Iterable<string>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Checks the known fields of a document. A field that is not known is not a problem, because a later build may add it. */
export function checkDocument(document: JsonObject): DocumentForm {
  // Checked before the schema, which differs between versions.
  if (document.schema_version !== PROOF_SCHEMA_VERSION) {
    return refuse(`schema_version: is not ${PROOF_SCHEMA_VERSION}, the only version that can be verified.`);
  }
  if (document.kind === undefined) return check('forecast', document, forecastProofSchema, findImplausibleForecast);
  if (document.kind === EVENT_REVISION_KIND) {
    return check(EVENT_REVISION_KIND, document, eventRevisionProofSchema, findImplausibleRevision);
  }
  return refuse(`kind: is not ${EVENT_REVISION_KIND}. Other documents that can be verified have no kind.`);
}

function refuse(problem: string): DocumentForm {
  return { kind: null, problems: [problem], unknownFields: [] };
}

function check<Proof>(
  kind: ProofKind,
  document: JsonObject,
  schema: z.ZodType<Proof>,
  findImplausible: (proof: Proof) => Iterable<string>,
): DocumentForm {
  const issues = schema.safeParse(document).error?.issues ?? [];
  const wrong = issues.filter(({ code }) => code !== 'unrecognized_keys');
  // The schema converts nothing, so a document whose known fields are right is a proof as it stands.
  const problems = wrong.length > 0 ? formatIssues(wrong, 'document') : findImplausible(document as Proof);
  return { kind, problems, unknownFields: listUnknownFields(issues) };
}

function* listUnknownFields(issues: readonly z.core.$ZodIssue[]): Generator<string> {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) yield formatFieldPath([...issue.path, key]);
  }
}
