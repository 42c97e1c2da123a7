export const REPLAY_DEFAULTS = {
  symbol: '^GSPC',
  cutoffs: '50',
  horizons: '5,21,63',
  changes: '-5,-2,0,2,5',
  rows: '1000',
  // Five years of sessions: before them base rates rest on too little.
  before: '1260',
};

export const REPLAY_USAGE = Object.entries(REPLAY_DEFAULTS)
  .map(([name, value]) => `[--${name}=${value}]`)
  .concat('[--csv FILE]')
  .join(' ');
