/**
 * The rooms by floor, lowest first. A room imports only rooms on lower floors, through their index.ts.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['contract', 'calendar'],
  ['engine', 'access', 'platform', 'charts', 'wording'],
  ['compute', 'snapshots'],
  ['identity'],
  ['workspaces', 'market', 'datasets', 'provenance'],
  ['forecasts'],
  ['scout', 'screener', 'feeds'],
  ['notifications'],
  ['ownership'],
  ['api'],
  ['compose'],
  ['cli'],
  ['main.ts'],
];

/** These must stay free of clocks, databases, threads and files, so that each can be called and tested alone. */
export const PURE_ROOMS: readonly string[] = ['contract', 'calendar', 'engine', 'access', 'charts', 'wording'];

/**
 * Files that other rooms may import directly, without index.ts. They import only each other and Node, so that a thread
 * that needs one of them does not load the schemas, databases, queues and mailers that index.ts imports.
 */
export const OPEN_FILES: readonly string[] = [
  'contract/body-limits.ts',
  'contract/canonical-json.ts',
  'contract/csv-vocabulary.ts',
  'contract/error-catalog.ts',
  'contract/fault.ts',
  'contract/inline-rows.ts',
  'contract/read-timestamp.ts',
  'platform/csv/detect-delimiter.ts',
  'platform/csv/tokenizer.ts',
  'platform/lru-cache.ts',
  'platform/mutex.ts',
  'platform/threads/serve-sessions.ts',
  'platform/threads/thread-messages.ts',
];

export function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}
