import type { Fault } from '../../../../contract/index.ts';
import type { FieldErrors } from '../../forms.ts';

/** The fields of a source that the page can choose without, by the names of their fields in its form. */
const LABELS = {
  timeframe: 'Interval',
  adjustment: 'Prices adjusted',
  session: 'Session',
  price_side: 'Side',
  value_field: 'Value',
  vintage: 'As known on',
} as const;
type Setting = keyof typeof LABELS;

const USUAL_INTERVAL = '1D';

/** A source without the settings that cannot be read, and the errors of their fields. */
export interface SettledSource {
  readonly source: object;
  readonly errors: FieldErrors;
}

/** Leaves out settings that the address has more than once. A market without an interval has daily bars. */
export function settleSource(named: object): SettledSource {
  const repeated = Object.entries(named).filter(([name, value]) => isSetting(name) && Array.isArray(value));
  return leaveOut(
    named,
    repeated.map(([name]) => [name as Setting, 'the address has it more than once. Choose one.']),
  );
}

const SENTENCE = new RegExp(
  `(?:^|(?<=\\. ))source\\.(${Object.keys(LABELS).join('|')}): (.+?)(?=\\. source\\.|\\.?$)`,
  'gs',
);

/** Leaves out the settings that a fault refuses. @returns null if it refuses none */
export function settleRefused(source: object, { code, message }: Fault): SettledSource | null {
  if (code !== 'INVALID_REQUEST') return null;
  const refused = [...message.matchAll(SENTENCE)].map(([, name, rule = '']): [Setting, string] => [
    name as Setting,
    rule.startsWith('must be one of') ? 'the address has a value that is not on offer. Choose another.' : `${rule}.`,
  ]);
  return refused.length === 0 ? null : leaveOut(source, refused);
}

function leaveOut(source: object, wrong: readonly (readonly [Setting, string])[]): SettledSource {
  const names = new Set<string>(wrong.map(([name]) => name));
  const kept = Object.fromEntries(Object.entries(source).filter(([name]) => !names.has(name)));
  return {
    source: kept.type === 'market' ? { timeframe: USUAL_INTERVAL, ...kept } : kept,
    errors: Object.fromEntries(wrong.map(([name, problem]) => [name, `${LABELS[name]}: ${problem}`])),
  };
}

function isSetting(name: string): name is Setting {
  return Object.hasOwn(LABELS, name);
}
