import type { Operations, Output } from '../../../../contract/index.ts';
import { formatCount, formatRatio, formatShare } from '../../format.ts';

export type Scoreboard = Output<Operations['readScoreboard']>;
export type Summary = Omit<Scoreboard['groups'][number], 'group'>;
export type Bin = Summary['bins'][number];
type Range = NonNullable<Bin['interval']>;

/** @example formatShareRange({ low: 0.55, high: 0.81 }) // 55–81% */
export function formatShareRange({ low, high }: Range): string {
  return `${formatShare(low, 0).slice(0, -1)}–${formatShare(high, 0)}`;
}

/** @example formatRange({ low: 0.41, high: 0.56 }) // 0.41 to 0.56 */
export function formatRange(range: Range | null): string {
  return range === null ? 'not known' : `${formatFigure(range.low)} to ${formatFigure(range.high)}`;
}

/** Formats a score or a skill, which can be below zero. */
export function formatFigure(value: number | null): string {
  if (value === null) return '–';
  return value < 0 ? `\u2212${formatRatio(-value)}` : formatRatio(value);
}

/** Returns how the probabilities did, as sentences: against one half, and against the base rate. */
export function describeSummary(summary: Summary): string {
  const { questions, resolved_yes: yes, mean_log_loss: loss, base_rate: base } = summary;
  const over = `${formatCount(questions, 'question')} ${questions === 1 ? 'was' : 'were'} scored; ${formatCount(yes, 'answer')} ${yes === 1 ? 'was' : 'were'} yes.`;
  const half = `The mean log score is ${formatFigure(loss)}, ${judgeLoss(summary.skill_vs_half)} the 0.693 of a constant 50%.`;
  if (base === null || summary.skill_vs_base_rate === null) {
    return `${over} ${half} All answers were the same, so there is no base rate to compare with.`;
  }
  return `${over} ${half} A constant probability at the base rate of ${formatShare(base)}, which was not known beforehand, would have been ${judgeBase(summary)}.`;
}

function judgeLoss(skill: number | null): string {
  if (skill === null || Math.abs(skill) < 0.005) return 'about';
  return skill > 0 ? 'better than' : 'worse than';
}

/** States which was better, as far as the number of questions can tell. */
function judgeBase({ skill_vs_base_rate: skill, intervals }: Summary): string {
  if (skill === null) return 'as good';
  const range = intervals.skill_vs_base_rate;
  const word = skill > 0 ? 'worse' : 'better';
  if (range === null) return `${word}; there are too few questions to tell whether that is chance`;
  const isClear = range.low > 0 || range.high < 0;
  return isClear ? `clearly ${word}` : `${word}, but that can be chance`;
}

/** Returns whether a bin kept its word, as far as its questions can tell. */
export function judgeBin({ mean_probability: mean, interval }: Bin): string {
  if (mean === null || interval === null) return '–';
  if (mean < interval.low) return 'too low';
  return mean > interval.high ? 'too high' : 'as stated';
}

/** Sums up the calibration of all bins in a sentence. */
export function describeBins(bins: readonly Bin[]): string {
  const counted = bins.filter(({ questions }) => questions > 0);
  const kept = counted.filter((bin) => judgeBin(bin) === 'as stated').length;
  const groups = `${counted.length === 1 ? 'the only group' : `${kept} of ${counted.length} groups`} of probabilities`;
  if (counted.length === 1)
    return `In ${groups}, yes came ${kept === 1 ? 'as often as stated' : 'at another rate than stated'}, within the uncertainty of its count.`;
  return `In ${groups}, yes came as often as stated, within the uncertainty of their counts.`;
}
