import { csvCell } from '../../snapshots/index.ts';
import type { ReplayedForecast, ReplayedQuestion } from './replay-forecast.ts';

const COLUMNS: Readonly<Record<string, (question: ReplayedQuestion) => string | number>> = {
  cutoff: ({ cutoff }) => cutoff,
  horizon: ({ horizon }) => horizon,
  change_pct: ({ change }) => change,
  threshold: ({ threshold }) => threshold,
  observed_at: ({ observed }) => observed.timestamp,
  observed_value: ({ observed }) => observed.value,
  happened: ({ happened }) => (happened ? 1 : 0),
  probability: ({ probability }) => probability,
  part: ({ part }) => part,
  ensemble_probability: ({ ensemble_probability }) => ensemble_probability,
  past_share: ({ past_share }) => past_share ?? '',
  base_rate: ({ base_rate }) => base_rate,
};

/** One line for each question: every figure of the report can be computed from them. */
export function replayCsv(replayed: readonly ReplayedForecast[]): string {
  const lines = replayed.flatMap(({ questions }) =>
    questions.map((question) => Object.values(COLUMNS).map((read) => csvCell(String(read(question))))),
  );
  return [Object.keys(COLUMNS), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}
