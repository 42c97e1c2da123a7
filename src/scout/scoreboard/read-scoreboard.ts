import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account } from '../../access/index.ts';
import { NO_MODEL, type SCOREBOARD_GROUPS } from '../../contract/index.ts';
import type { ScoutContext } from '../context.ts';
import { type ScoreSummary, summarise } from '../scores/summarise.ts';
import { chosenEvents, type ScoredChoice } from './chosen-events.ts';
import { countWithoutScore, MAX_SCORED, readScored, type ScoredEvent, type WithoutScore } from './read-scored.ts';

export type GroupBy = (typeof SCOREBOARD_GROUPS)[number];

/** Figures, with how often their intervals were drawn. */
export type DrawnSummary = ScoreSummary & { readonly draws: number };

export interface Scoreboard extends WithoutScore {
  readonly overall: DrawnSummary;
  readonly groupBy: GroupBy | null;
  readonly groups: readonly { readonly group: string; readonly summary: DrawnSummary }[];
  readonly groupsLeftOut: number;
  /** Those resolved last first. */
  readonly questions: readonly ScoredEvent[];
  /** Whether older questions were left out. */
  readonly truncated: boolean;
}

export interface ScoreboardRequest extends ScoredChoice {
  readonly group_by?: GroupBy | undefined;
}

const MAX_GROUPS = 100;

/** How good the probabilities of the questions were that the caller may see and has chosen. */
export async function readScoreboard(
  context: ScoutContext,
  principal: Account,
  request: ScoreboardRequest,
): Promise<Scoreboard> {
  const chosen = await chosenEvents(context, principal, request);
  const found = await readScored(context, chosen);
  const withoutScore = await countWithoutScore(context, chosen);
  const questions = found.slice(0, MAX_SCORED);
  const groupBy = request.group_by ?? null;
  const all = groupBy === null ? [] : groupsOf(questions, groupBy);
  const kept = all.slice(0, MAX_GROUPS).sort(([one], [other]) => (one < other ? -1 : 1));
  const overall = await summaryOf(questions);
  const groups = [];
  for (const [group, members] of kept) groups.push({ group, summary: await summaryOf(members) });
  return {
    ...withoutScore,
    overall,
    groupBy,
    groups,
    groupsLeftOut: all.length - kept.length,
    questions,
    truncated: found.length > MAX_SCORED,
  };
}

const GROUP: Readonly<Record<GroupBy, (event: ScoredEvent) => string>> = {
  category: ({ category }) => category,
  entity: ({ entity_name }) => entity_name,
  model: ({ model }) => model ?? NO_MODEL,
  month: ({ resolved_at }) => resolved_at.toISOString().slice(0, 7),
};

/** The largest first. */
function groupsOf(events: readonly ScoredEvent[], by: GroupBy): [string, ScoredEvent[]][] {
  return [...Map.groupBy(events, GROUP[by])].sort(([, one], [, other]) => other.length - one.length);
}

/** Drawing intervals takes a while: other requests have their turn before each. */
async function summaryOf(events: readonly ScoredEvent[]): Promise<DrawnSummary> {
  await nextTurn();
  const questions = events.map(({ id, scored_probability, status, source_forecast_id }) => ({
    probability: scored_probability,
    happened: status === 'resolved_yes',
    cluster: source_forecast_id ?? id,
  }));
  const draws = drawsFor(new Set(questions.map(({ cluster }) => cluster)).size);
  return { ...summarise(questions, { draws }), draws };
}

const MAX_DRAWS = 1_000;
const MIN_DRAWS = 200;
/** Clusters that are drawn for one summary, all draws together: what a request may take of everybody's time. */
const MAX_DRAWN = 1_000_000;

function drawsFor(clusters: number): number {
  return Math.max(MIN_DRAWS, Math.min(MAX_DRAWS, Math.floor(MAX_DRAWN / Math.max(1, clusters))));
}
