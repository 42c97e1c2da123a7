/** The parameters of an address, as they were given: they are checked by the operation that they are sent to. */
export type Given = Readonly<Record<string, unknown>>;

export const FORECASTS_PATH = '/forecasts';

/** The parameters of the list. They have the names of those of the operation. */
export const LIST_PARAMETERS = ['q', 'status', 'source', 'model', 'workspace_id', 'mine', 'sort', 'cursor'] as const;

/** The parameters of the track record. */
export const RECORD_PARAMETERS = [
  'source',
  'model',
  'workspace_id',
  'horizon',
  'from',
  'to',
  'stamped',
  'mine',
] as const;

/** Returns the known parameters of an address. Empty ones count as missing, because forms send them. */
export function readGiven(query: Given, names: readonly string[]): Given {
  return Object.fromEntries(
    names.map((name) => [name, query[name]]).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** Returns a parameter as text for a field of a form; empty if it is missing or not a text. */
export function textOf(given: Given, name: string): string {
  const value = given[name];
  return typeof value === 'string' ? value : '';
}

/** Returns the address of the page with these parameters. Those that are not texts are left out. */
export function addressOf(given: Given): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string' && value !== '') params.append(name, value);
  const query = params.toString();
  return query === '' ? FORECASTS_PATH : `${FORECASTS_PATH}?${query}`;
}

/** What the list can be sorted by: the parameter of the address, with a direction after a dot, and its name. */
export const SORTS: readonly (readonly [value: string, label: string])[] = [
  ['created_at', 'Newest'],
  ['created_at.asc', 'Oldest'],
  ['finished_at', 'Last finished'],
  ['name', 'Name, A to Z'],
  ['name.desc', 'Name, Z to A'],
  ['horizon', 'Shortest horizon'],
  ['horizon.desc', 'Longest horizon'],
  ['score', 'Lowest validation loss'],
  ['score.desc', 'Highest validation loss'],
];

/** Splits the parameter `sort` of the address into the two of the operation. */
export function readSort(sort: unknown): { readonly sort?: unknown; readonly order?: string } {
  if (typeof sort !== 'string') return sort === undefined ? {} : { sort };
  const [by = '', order] = sort.split('.', 2);
  return order === undefined ? { sort: by } : { sort: by, order };
}
