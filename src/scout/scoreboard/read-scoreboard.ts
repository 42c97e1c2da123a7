import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../access/index.ts';
import { NO_MODEL_GROUP, type SCOREBOARD_GROUPS } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import {
  countUnscored,
  MAX_SCORED_EVENTS,
  readScoredEvents,
  type ScoreCriteria,
  type ScoredEvent,
  selectScoreboardEvents,
  type UnscoredCounts,
} from './scored-events.ts';
import { type BootstrapSummary, summarizeOnce } from './summary-cache.ts';

type GroupBy = (typeof SCOREBOARD_GROUPS)[number];

export interface Scoreboard extends UnscoredCounts {
  readonly overall: BootstrapSummary;
  readonly groupBy: GroupBy | null;
  readonly groups: readonly { readonly group: string; readonly summary: BootstrapSummary }[];
  readonly groupsLeftOut: number;
  /** Latest resolution first. */
  readonly questions: readonly ScoredEvent[];
  /** Whether older questions were left out. */
  readonly truncated: boolean;
}

interface ScoreboardRequest extends ScoreCriteria {
  readonly group_by?: GroupBy | undefined;
}

const MAX_GROUPS = 100;

/** Scores the selected questions among those that the caller may see. */
export async function readScoreboard(
  context: ScoutContext,
  principal: Account,
  request: ScoreboardRequest,
): Promise<Scoreboard> {
  const select = await selectScoreboardEvents(context, principal, request);
  const found = await readScoredEvents(context, select);
  const unscoredCounts = await countUnscored(context, select);
  const questions = found.slice(0, MAX_SCORED_EVENTS);
  const groupBy = request.group_by ?? null;
  const all = groupBy === null ? [] : groupEvents(questions, groupBy);
  const kept = all.slice(0, MAX_GROUPS).sort(([a], [b]) => (a < b ? -1 : 1));
  const overall = await summarizeEvents(questions);
  const groups = [];
  for (const [group, members] of kept) groups.push({ group, summary: await summarizeEvents(members) });
  return {
    ...unscoredCounts,
    overall,
    groupBy,
    groups,
    groupsLeftOut: all.length - kept.length,
    questions,
    truncated: found.length > MAX_SCORED_EVENTS,
  };
}

const GROUP_KEY: Readonly<Record<GroupBy, (event: ScoredEvent) => string>> = {
  category: ({ category }) => category,
  entity: ({ entity_name }) => entity_name,
  model: ({ model }) => model ?? NO_MODEL_GROUP,
  month: ({ resolved_at }) => resolved_at.toISOString().slice(0, 7),
};

/** Returns the groups, largest first. */
function groupEvents(events: readonly ScoredEvent[], by: GroupBy): [string, ScoredEvent[]][] {
  return [...Map.groupBy(events, GROUP_KEY[by])].sort(([, a], [, b]) => b.length - a.length);
}

/** Summarizes events. Lets other requests run first, because computing the intervals takes a while. */
function summarizeEvents(events: readonly ScoredEvent[]): Promise<BootstrapSummary> {
  const questions = events.map(({ id, scored_probability, status, source_forecast_id }) => ({
    probability: scored_probability,
    happened: status === 'resolved_yes',
    cluster: source_forecast_id ?? id,
  }));
  const draws = chooseDraws(new Set(questions.map(({ cluster }) => cluster)).size);
  return summarizeOnce(questions, draws, () => nextTurn());
}

const MAX_DRAWS = 1_000;
const MIN_DRAWS = 200;
/**
 * The largest number of clusters drawn for one summary, over all draws. It limits how long a request occupies the
 * process.
 */
const MAX_DRAWN_CLUSTERS = 1_000_000;

function chooseDraws(clusters: number): number {
  return Math.max(MIN_DRAWS, Math.min(MAX_DRAWS, Math.floor(MAX_DRAWN_CLUSTERS / Math.max(1, clusters))));
}
