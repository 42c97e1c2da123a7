// Pages, emails and the command line write numbers and times in the same way.
export {
  formatCount,
  formatDay,
  formatExact,
  formatInteger,
  formatMoment,
  formatProbability,
  formatRatio,
  formatShare,
  formatSize,
  isIntraday,
  periodFormat,
  valueFormat,
} from '../../wording/index.ts';
