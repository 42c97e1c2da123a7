export { buildGraph } from './build-graph.ts';
export { FEEDS, KNOTS_OUTPUT, turnedPairs } from './feeds.ts';
