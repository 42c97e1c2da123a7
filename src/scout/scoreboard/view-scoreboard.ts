import type { z } from 'zod';
import type { Scoreboard as ScoreboardView } from '../../contract/index.ts';
import type { Executor } from '../../platform/index.ts';
import { csvCell } from '../../snapshots/index.ts';
import { findStamped } from '../events/stamped-events.ts';
import { SCORE_DEFINITION } from '../scores/question-scores.ts';
import { SCORES_WITH_INTERVALS } from '../scores/summarize.ts';
import type { Scoreboard } from './read-scoreboard.ts';
import type { ScoredEvent } from './scored-events.ts';
import type { BootstrapSummary } from './summary-cache.ts';

const MAX_LATEST = 20;

/** Returns a scoreboard as the API shows it. */
export async function viewScoreboard(executor: Executor, board: Scoreboard): Promise<z.output<typeof ScoreboardView>> {
  const { questions } = board;
  return {
    score_definition: SCORE_DEFINITION,
    overall: viewSummary(board.overall),
    annulled: board.annulled,
    unscored: board.unscored,
    group_by: board.groupBy,
    groups: board.groups.map(({ group, summary }) => ({ group, ...viewSummary(summary) })),
    groups_left_out: board.groupsLeftOut,
    first_resolved_at: questions.at(-1)?.resolved_at.toISOString() ?? null,
    last_resolved_at: questions[0]?.resolved_at.toISOString() ?? null,
    truncated: board.truncated,
    latest: await viewLatest(executor, questions.slice(0, MAX_LATEST)),
  };
}

async function viewLatest(executor: Executor, questions: readonly ScoredEvent[]) {
  const stamped = await findStamped(
    executor,
    questions.map(({ id }) => id),
  );
  return questions.map((event) => ({
    forecast_id: event.id,
    slug: event.slug,
    question: event.question,
    status: event.status,
    revision: event.scored_revision,
    probability: event.scored_probability,
    log_score: event.log_score,
    brier_score: event.brier_score,
    resolved_at: event.resolved_at.toISOString(),
    stamped: stamped.has(event.id),
  }));
}

function viewSummary(summary: BootstrapSummary) {
  return { ...summary, bins: [...summary.bins], intervals: { ...summary.intervals } };
}

/**
 * Returns a CSV file with one line for all questions and one line per group. The first column tells them apart, because
 * a group can have any name.
 */
export function formatGroupsCsv({ overall, groups }: Scoreboard): string {
  const figureHeads = SCORES_WITH_INTERVALS.flatMap((name) => [name, `${name}_low`, `${name}_high`]);
  const line = (kind: 'overall' | 'group', group: string, summary: BootstrapSummary): string[] => [
    kind,
    group,
    String(summary.questions),
    String(summary.resolved_yes),
    String(summary.clusters),
    ...SCORES_WITH_INTERVALS.flatMap((name) => {
      const { [name]: value, intervals } = summary;
      return [value, intervals[name]?.low, intervals[name]?.high].map(formatFigure);
    }),
  ];
  return formatCsv([
    ['line', 'group', 'questions', 'resolved_yes', 'clusters', ...figureHeads],
    line('overall', '', overall),
    ...groups.map(({ group, summary }) => line('group', group, summary)),
  ]);
}

const QUESTION_HEADS = [
  'forecast_id',
  'slug',
  'category',
  'entity_type',
  'entity_name',
  'entity_ticker',
  'model',
  'source_forecast_id',
  'question',
  'revision',
  'probability',
  'status',
  'log_score',
  'brier_score',
  'resolved_at',
];

/** Returns a CSV file with one line per question, from which every figure of the scoreboard can be computed. */
export function formatQuestionsCsv({ questions }: Scoreboard): string {
  return formatCsv([QUESTION_HEADS, ...questions.map(toQuestionLine)]);
}

function toQuestionLine(event: ScoredEvent): string[] {
  return [
    event.id,
    event.slug,
    event.category,
    event.entity_type,
    event.entity_name,
    event.entity_ticker,
    event.model ?? '',
    event.source_forecast_id ?? '',
    event.question,
    String(event.scored_revision),
    String(event.scored_probability),
    event.status,
    String(event.log_score),
    String(event.brier_score),
    event.resolved_at.toISOString(),
  ];
}

function formatFigure(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

function formatCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
