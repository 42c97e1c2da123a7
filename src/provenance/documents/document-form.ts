import type { z } from 'zod';
import { formatFieldPath } from '../../contract/index.ts';
import type { ProofKind } from '../receipts/tables.ts';
import {
  EVENT_REVISION_KIND,
  type EventRevisionProof,
  eventRevisionProofSchema,
  findImplausibleRevision,
} from './event-revision-proof.ts';
import { type ForecastProof, PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { forecastProofSchema } from './forecast-proof-schema.ts';
import { findImplausibleForecast } from './implausible-forecast.ts';
import { formatIssues } from './problem-texts.ts';
import type { StatedTime } from './receipt-form.ts';

/** What is wrong with a document, apart from its id. */
export interface DocumentForm {
  readonly kind: ProofKind | null;
  readonly problems: Iterable<string>;
  readonly unknownFields: Iterable<string>;
  /** Null if a known field is not of its form. */
  readonly made: StatedTime | null;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Checks the known fields of a document. A field that is not known is not a problem, because a later build may add it. */
export function checkDocument(document: JsonObject): DocumentForm {
  // Checked before the schema, which differs between versions.
  if (document.schema_version !== PROOF_SCHEMA_VERSION) {
    return refuse(`schema_version: is not ${PROOF_SCHEMA_VERSION}, the only version that can be verified.`);
  }
  if (document.kind === undefined) return check('forecast', document, FORECAST);
  if (document.kind === EVENT_REVISION_KIND) return check(EVENT_REVISION_KIND, document, EVENT_REVISION);
  return refuse(`kind: is not ${EVENT_REVISION_KIND}. Other documents that can be verified have no kind.`);
}

function refuse(problem: string): DocumentForm {
  return { kind: null, problems: [problem], unknownFields: [], made: null };
}

/** What is known about the documents of one kind. */
interface KnownForm<Proof> {
  readonly schema: z.ZodType<Proof>;
  readonly findImplausible: (proof: Proof) => Iterable<string>;
  /** The field that states when a document was made. */
  readonly madeAt: keyof Proof & string;
}

const FORECAST: KnownForm<ForecastProof> = {
  schema: forecastProofSchema,
  findImplausible: findImplausibleForecast,
  madeAt: 'completed_at',
};
const EVENT_REVISION: KnownForm<EventRevisionProof> = {
  schema: eventRevisionProofSchema,
  findImplausible: findImplausibleRevision,
  madeAt: 'created_at',
};

function check<Proof>(kind: ProofKind, document: JsonObject, known: KnownForm<Proof>): DocumentForm {
  const { schema, findImplausible, madeAt } = known;
  const issues = schema.safeParse(document).error?.issues ?? [];
  const wrong = issues.filter(({ code }) => code !== 'unrecognized_keys');
  // The schema converts nothing, so a document whose known fields are right is a proof as it stands.
  const problems = wrong.length > 0 ? formatIssues(wrong, 'document') : findImplausible(document as Proof);
  const made = wrong.length > 0 ? null : { field: madeAt, instant: String(document[madeAt]) };
  return { kind, problems, unknownFields: listUnknownFields(issues), made };
}

function* listUnknownFields(issues: readonly z.core.$ZodIssue[]): Generator<string> {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    for (const key of issue.keys) yield formatFieldPath([...issue.path, key]);
  }
}
