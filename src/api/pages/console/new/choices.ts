import { readSource, sourceParams } from '../source-address.ts';

/** The fields of the form whose values are sent as they are. Those of the series are read by `readSource`. */
const TEXT_FIELDS = [
  'title',
  'workspace_id',
  'visibility',
  'mode',
  'weight_mode',
  'weighting_policy',
  'transform',
] as const;
const NUMBER_FIELDS = ['horizon', 'limit', 'seed', 'settle_days'] as const;
const OTHER_FIELDS = ['quantiles', 'cutoff', 'as_known_at_cutoff'] as const;

const FIELDS = [...NUMBER_FIELDS, ...TEXT_FIELDS, ...OTHER_FIELDS] as const;
export type FieldName = (typeof FIELDS)[number];

/** What a visitor chose and typed, before it is checked. */
export interface Choices {
  /** The series, as the operations receive it; null if the address names none. */
  readonly source: object | null;
  /** Undefined if the address or the form does not have the field. */
  readonly fields: Readonly<Partial<Record<FieldName, string>>>;
  /** The ids of the chosen models; empty if none is chosen, which means the default ensemble. */
  readonly models: readonly string[];
  /** The typed weights, by the id of the model. */
  readonly weights: Readonly<Record<string, string>>;
  /** Whether the title is the one that the form suggested. It then follows the series, and `fields` has none. */
  readonly hasSuggestedTitle: boolean;
}

/** The prefixes of fields that there is one of for each model. A field cannot be sent twice; see `parseForm`. */
export const MODEL = 'model.';
export const WEIGHT = 'weight.';

/** The field with the title that the form suggested. A visitor that leaves it expects it to follow the chosen series. */
export const SUGGESTED_TITLE = 'suggested_title';

/** Forms of a sensible size have fewer; the operation states its own limits. */
const MAX_MODELS = 50;

/** Reads the choices from an address or a form. A button that suggests a horizon replaces the typed one. */
export function readChoices(sent: Readonly<Record<string, unknown>>): Choices {
  const fields: Partial<Record<FieldName, string>> = {};
  for (const name of FIELDS) {
    const value = sent[name];
    if (typeof value === 'string') fields[name] = value.trim();
  }
  if (typeof sent.suggest === 'string') fields.horizon = sent.suggest;
  const hasSuggestedTitle = !!fields.title && fields.title === sent[SUGGESTED_TITLE];
  if (hasSuggestedTitle) delete fields.title;
  return {
    source: readSource(sent),
    fields,
    models: readPrefixed(sent, MODEL).map(([id]) => id),
    weights: Object.fromEntries(readPrefixed(sent, WEIGHT)),
    hasSuggestedTitle,
  };
}

function readPrefixed(sent: Readonly<Record<string, unknown>>, prefix: string): [id: string, value: string][] {
  return Object.entries(sent)
    .filter(([name, value]) => name.startsWith(prefix) && typeof value === 'string' && value.trim() !== '')
    .slice(0, MAX_MODELS)
    .map(([name, value]) => [name.slice(prefix.length), String(value).trim()]);
}

/** Returns the body of the request that the choices describe. What is not a number is sent as text and refused. */
export function toRequest({ source, fields, models, weights }: Choices): Record<string, unknown> {
  const body: Record<string, unknown> = { source };
  for (const name of TEXT_FIELDS) if (fields[name]) body[name] = fields[name];
  for (const name of NUMBER_FIELDS) if (fields[name]) body[name] = toNumber(fields[name]);
  if (fields.quantiles)
    body.quantiles = fields.quantiles
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(toNumber);
  if (fields.cutoff) body.cutoff = toCutoff(fields.cutoff);
  if (fields.as_known_at_cutoff) body.as_known_at_cutoff = true;
  if (models.length > 0) body.models = models;
  if (fields.weight_mode === 'manual') {
    const given = Object.entries(weights).filter(([id]) => models.length === 0 || models.includes(id));
    if (given.length > 0) body.weights = Object.fromEntries(given.map(([id, weight]) => [id, toNumber(weight)]));
  }
  return body;
}

function toNumber(text: string): number | string {
  return /^-?\d{1,16}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

const DAY_MS = 86_400_000;

/**
 * Returns a cutoff as the operation receives it. A person that types a day means that this day is known, so the cutoff is
 * its end.
 */
export function toCutoff(text: string): number | string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return toNumber(text);
  const day = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text);
  return isDay ? new Date(day + DAY_MS).toISOString() : text;
}

/** The fields that the form fills in, so that an empty one is a choice: no title, no workspace. */
const KEPT_EMPTY: readonly string[] = ['title', 'workspace_id'];

/** Returns the address of the form with these choices. Other fields without a value are left out. */
export function newAddress({ source, fields, models, weights }: Choices): string {
  const params = source === null ? new URLSearchParams() : sourceParams(source as Parameters<typeof sourceParams>[0]);
  for (const [name, value] of Object.entries(fields))
    if (value || KEPT_EMPTY.includes(name)) params.append(name, value);
  for (const id of models) params.append(`${MODEL}${id}`, 'on');
  for (const [id, weight] of Object.entries(weights)) params.append(`${WEIGHT}${id}`, weight);
  return `/new?${params}`;
}
