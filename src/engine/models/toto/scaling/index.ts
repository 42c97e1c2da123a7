import type { TotoConfig } from '../checkpoint/index.ts';
import { ANCHORED } from './anchored.ts';
import { addExtraStatistics } from './extra-statistics.ts';
import { chooseNearUnits } from './near-units.ts';
import { RELEASED } from './released.ts';
import type { Scaling } from './scaling.ts';

export type { Reading, Scaling } from './scaling.ts';

/** What the switches of a configuration ask for; nobody else looks at them. */
export function scalingOf({ hasAnchoredOutput, hasExtraStatistics }: TotoConfig): Scaling {
  const scaling = hasAnchoredOutput ? ANCHORED : RELEASED;
  return hasExtraStatistics ? withExtraStatistics(scaling) : scaling;
}

/** They tell the network of the level, so it has to be the series' own. */
function withExtraStatistics(scaling: Scaling): Scaling {
  return {
    ...scaling,
    chooseUnits: chooseNearUnits,
    writeTokens: (row, reading, patchSize, count) => {
      const tokens = scaling.writeTokens(row, reading, patchSize, count);
      return addExtraStatistics(tokens, reading.statistics, reading.course, count);
    },
  };
}
