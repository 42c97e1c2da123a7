import type { EventStatus, RuleOperator, SourceReference, Visibility } from '../../../../contract/index.ts';
import { describeSource } from '../../forecast/describe-source.ts';
import { formatDay, formatExact, formatMoment, formatProbability, formatRatio } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { QUESTION_STATES } from '../../public/question-page.ts';
import type { Question, Resolution } from './question-view.ts';

export const QUESTIONS_PATH = '/questions';
export const SCOREBOARD_PATH = '/scoreboard';

/** Returns the address of the page of a question, or of one of its actions. */
export function questionPath({ slug }: Pick<Question, 'slug'>, action?: string): string {
  return `${QUESTIONS_PATH}/${encodeURIComponent(slug)}${action === undefined ? '' : `/${action}`}`;
}

const TONES: Readonly<Record<EventStatus, string>> = {
  pending: 'info',
  resolved_yes: 'good',
  resolved_no: 'bad',
  annulled: 'warning',
};

/** Renders the state of a question as a tag. */
export function renderState({ status }: Pick<Question, 'status'>): Html {
  return html`<span class="tag ${TONES[status]}">${QUESTION_STATES[status]}</span>`;
}

/** Renders the mark of a question whose probability is proven by a stamp. */
export function renderStamped({ stamped }: Pick<Question, 'stamped'>): Html | false {
  return stamped && html`<span class="tag good plain">✓ Stamped</span>`;
}

export const VISIBLE_TO: Readonly<Record<Visibility, string>> = {
  private: 'Only you',
  workspace: 'The members of its workspace',
  public: 'Everyone',
};

export const CONDITIONS: Readonly<Record<RuleOperator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** Renders an instant, which a script also shows in the zone of the reader. */
export function renderTime(instant: string): Html {
  return html`<time datetime="${instant}" data-local>${formatMoment(new Date(instant))}</time>`;
}

/** Returns a resolution rule as the end of a sentence. @param fileName the name of the file that it reads, if known */
export function describeRule(rule: NonNullable<Question['resolution_rule']>, fileName: string | null): string {
  const settle = rule.settle_days === 0 ? '' : `, as it stands ${rule.settle_days} days after the end of the period`;
  const read = rule.source as SourceReference;
  const source =
    read.type === 'workspace_csv' && fileName !== null
      ? `the column ${read.value_field} of the file ${fileName}`
      : describeSource(read).replace(/^The /, 'the ');
  // Words that begin with a name and a comma are an insertion, which a second comma ends.
  return `${source}${source.includes(', ') ? ',' : ''} is ${CONDITIONS[rule.op]} ${formatExact(rule.threshold)} in the period of ${formatDay(new Date(rule.observed_at))}${settle}`;
}

/** What a probability of one half scores, with which scores are compared. */
export const HALF = { log: Math.LN2, brier: 0.25 };

/** Returns a score in words. */
export function describeScore(score: NonNullable<Question['score']>, status: EventStatus): string {
  const outcome = status === 'resolved_yes' ? 'yes' : 'no';
  const compared =
    Math.abs(score.log_score - HALF.log) < 1e-9
      ? 'exactly what 50% would have scored'
      : score.log_score < HALF.log
        ? 'better than the 0.693 of a constant 50%'
        : 'worse than the 0.693 of a constant 50%';
  return `Revision ${score.revision} gave ${formatProbability(score.probability)}, and the outcome was ${outcome}. Its log score is ${formatRatio(score.log_score)}, ${compared}; its Brier score is ${formatRatio(score.brier_score)}. Lower is better.`;
}

export const RESOLVERS: Readonly<Record<Resolution['resolved_by'], string>> = {
  rule: 'the service, by the rule of the question',
  author: 'the account that asked it',
  member: 'a member of its workspace',
  administrator: 'an administrator',
};
