import type { AgentTool } from '../tool.ts';
import { askEvent } from './ask-event.ts';
import { checkForecast } from './check-forecast.ts';
import { findSeries } from './find-series.ts';
import { forecast } from './forecast.ts';
import { lookAtSeries } from './look-at-series.ts';
import { myLimits } from './my-limits.ts';
import { screenMarket } from './screen-market.ts';

/** The tools in the order in which they are listed, which is the order in which they are usually called. */
export const TOOLS: readonly AgentTool[] = [
  findSeries,
  lookAtSeries,
  forecast,
  checkForecast,
  askEvent,
  screenMarket,
  myLimits,
];
