import { z } from 'zod';
import { MINUTE_MS } from '../../calendar/index.ts';
import { RULE_OPERATORS, type RuleOperator } from '../../contract/index.ts';
import type { ProofSeal } from './content-ids.ts';
import { PROOF_SCHEMA_VERSION } from './forecast-proof.ts';
import { hashName, instant, salt } from './proof-fields.ts';

export const EVENT_REVISION_KIND = 'event_revision';

interface RevisedEntity {
  readonly type: string;
  readonly name: string;
  readonly ticker: string;
}

interface RevisionRule {
  readonly type: 'threshold';
  readonly source: object;
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly observed_at: string;
  readonly settle_days: number;
}

interface RevisionOrigin {
  readonly forecast_id: string;
  readonly step: number;
  readonly timestamp: string;
  readonly op: RuleOperator;
  readonly threshold: number;
  readonly part: 'interior' | 'lower_tail' | 'upper_tail';
  readonly ensemble_probability: number;
  readonly past_share: number | null;
  readonly quantiles: Readonly<Record<string, number>>;
}

/**
 * One probability of an event with the question that it answers. Adding a required field needs a new schema version;
 * adding an optional one does not.
 */
export interface EventRevisionProof extends ProofSeal {
  readonly schema_version: typeof PROOF_SCHEMA_VERSION;
  readonly kind: typeof EVENT_REVISION_KIND;
  /** The id of the event. */
  readonly forecast_id: string;
  /** Counts from 1. */
  readonly revision: number;
  readonly question: string;
  readonly category: string;
  readonly entity: RevisedEntity;
  readonly possible_future_headline: string;
  readonly probability: number;
  readonly input_cutoff_at: string;
  /** When the revision was made. */
  readonly created_at: string;
  readonly resolution_deadline: string;
  readonly resolution_rule: RevisionRule | null;
  /** The model that computed the probability. Only the first revision can have one. */
  readonly model: string | null;
  /** The forecast from which the first probability was computed, and how. */
  readonly source_forecast: RevisionOrigin | null;
  readonly note: string | null;
}

/** A published revision, as the caller of `buildEventRevisionProof` provides it. */
export interface PublishedRevision {
  readonly eventId: string;
  readonly revision: number;
  readonly question: string;
  readonly category: string;
  readonly entity: RevisedEntity;
  readonly headline: string;
  readonly probability: number;
  readonly inputCutoffAt: Date;
  readonly createdAt: Date;
  readonly deadline: Date;
  readonly rule: RevisionRule | null;
  readonly model: string | null;
  readonly origin: RevisionOrigin | null;
  readonly note: string | null;
  readonly seal: ProofSeal;
}

/** Returns the canonical document of a revision. It contains nothing about the account that made the revision. */
export function buildEventRevisionProof(revision: PublishedRevision): EventRevisionProof {
  const { entity, seal } = revision;
  return {
    schema_version: PROOF_SCHEMA_VERSION,
    kind: EVENT_REVISION_KIND,
    hash: seal.hash,
    salt: seal.salt,
    forecast_id: revision.eventId,
    revision: revision.revision,
    question: revision.question,
    category: revision.category,
    entity: { type: entity.type, name: entity.name, ticker: entity.ticker },
    possible_future_headline: revision.headline,
    probability: revision.probability,
    input_cutoff_at: revision.inputCutoffAt.toISOString(),
    created_at: revision.createdAt.toISOString(),
    resolution_deadline: revision.deadline.toISOString(),
    resolution_rule: revision.rule,
    model: revision.model,
    source_forecast: revision.origin,
    note: revision.note,
  };
}

const text = () => z.string().min(1);
const probability = () => z.number().min(0).max(1);

/** The schema of the proof of a revision, which must accept every proof of its version that was ever issued. */
export const eventRevisionProofSchema: z.ZodType<EventRevisionProof> = z.strictObject({
  schema_version: z.literal(PROOF_SCHEMA_VERSION),
  kind: z.literal(EVENT_REVISION_KIND),
  hash: hashName(),
  salt: salt(),
  forecast_id: text(),
  revision: z.int().min(1),
  question: text(),
  category: text(),
  entity: z.strictObject({ type: text(), name: text(), ticker: z.string() }),
  possible_future_headline: text(),
  probability: probability(),
  input_cutoff_at: instant(),
  created_at: instant(),
  resolution_deadline: instant(),
  resolution_rule: z
    .strictObject({
      type: z.literal('threshold'),
      source: z.record(z.string(), z.unknown()),
      op: z.enum(RULE_OPERATORS),
      threshold: z.number(),
      observed_at: instant(),
      settle_days: z.int().min(0),
    })
    .nullable(),
  model: text().nullable(),
  source_forecast: z
    .strictObject({
      forecast_id: text(),
      step: z.int().min(1),
      timestamp: instant(),
      op: z.enum(RULE_OPERATORS),
      threshold: z.number(),
      part: z.enum(['interior', 'lower_tail', 'upper_tail']),
      ensemble_probability: probability(),
      past_share: probability().nullable(),
      quantiles: z.record(z.string(), z.number()),
    })
    .nullable(),
  note: text().nullable(),
});

/** How far the clocks of two processes of one service may differ. */
const MAX_CLOCK_SKEW_MS = MINUTE_MS;

/** Yields the claims of a well-formed proof of a revision that cannot be true. */
export function* findImplausibleRevision(proof: EventRevisionProof): Generator<string> {
  const createdAt = Date.parse(proof.created_at);
  if (Date.parse(proof.input_cutoff_at) > createdAt + MAX_CLOCK_SKEW_MS) yield 'input_cutoff_at: is after created_at.';
  if (createdAt >= Date.parse(proof.resolution_deadline)) yield 'created_at: is not before resolution_deadline.';
}
