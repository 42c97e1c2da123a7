import assert from 'node:assert/strict';
import type {
  Dimension,
  ListedEntry,
  RawSeries,
  Selection,
  SeriesStructure,
  StatedFrequency,
} from '../../../src/datasets/providers/provider.ts';

// Checks of what an adapter returns, whatever its protocol is.

const FREQUENCIES: readonly unknown[] = ['1D', '1W-MON', '1ME', '1QE', '1YE'];
const MAX_TEXT = 2_000;
const MAX_NOTES = 20_000;
const MAX_ID = 256;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Checks that a structure is complete, contains no contradiction and is JSON. */
export function assertValidStructure(structure: SeriesStructure): void {
  const { title, units, multiplier, seasonalAdjustment, publisher, lastUpdate, notes, dimensions } = structure;
  assertText(title, 'title', 1);
  assertText(units, 'units', 0);
  assertText(publisher, 'publisher', 1);
  assert.ok(multiplier === null || (Number.isFinite(multiplier) && multiplier > 0), `multiplier: ${multiplier}`);
  if (seasonalAdjustment !== null) assertText(seasonalAdjustment, 'seasonal adjustment', 1);
  if (notes !== null) assertText(notes, 'notes', 1, MAX_NOTES);
  assertInstant(lastUpdate);
  assertSpan(structure.span);
  assert.ok(structure.firstVintage === null || /^\d{4}-\d\d-\d\d$/.test(structure.firstVintage), 'first vintage');
  for (const dimension of dimensions) assertValidDimension(dimension);
  const fields = dimensions.map(({ field }) => field);
  assert.equal(new Set(fields).size, fields.length, 'each field occurs once');
  for (const field of [structure.unitsDimension, structure.seasonalDimension]) {
    assert.ok(field === undefined || fields.includes(field), `${field} is a dimension`);
  }
  assertFrequency(structure);
  assert.deepEqual(JSON.parse(JSON.stringify(structure)), structure, 'the structure is JSON');
}

export function assertValidDimension({ field, label, values }: Dimension): void {
  assertText(field, 'field', 1);
  assertText(label, 'label of a dimension', 1);
  assert.ok(values.length > 0, `${field} has values`);
  for (const { value, label: name } of values) {
    assertText(value, 'value', 1);
    assertText(name, 'label of a value', 1);
  }
  assert.equal(new Set(values.map(({ value }) => value)).size, values.length, `each value of ${field} occurs once`);
}

/** Checks that the frequency is stated for every value of the dimension that decides it. */
function assertFrequency({ frequency, dimensions }: SeriesStructure): void {
  if (!('byValue' in frequency)) {
    assertStated(frequency);
    return;
  }
  const dimension = dimensions.find(({ field }) => field === frequency.dimension);
  assert.ok(dimension, 'the dimension of the frequency exists');
  for (const { value } of dimension.values) {
    assert.ok(Object.hasOwn(frequency.byValue, value), `the frequency of ${value} is stated`);
    assertStated(frequency.byValue[value] as StatedFrequency);
  }
}

function assertStated(stated: StatedFrequency): void {
  if ('unsupported' in stated) assertText(stated.unsupported, 'frequency', 1);
  else assert.ok(FREQUENCIES.includes(stated.frequency), `frequency ${stated.frequency}`);
}

/** Returns the frequency that a structure states for a selection. */
export function statedFrequency({ frequency }: SeriesStructure, { dimensions }: Selection): StatedFrequency {
  if (!('byValue' in frequency)) return frequency;
  return frequency.byValue[dimensions[frequency.dimension] as string] as StatedFrequency;
}

/** Checks everything but the observations. */
export function assertValidSeries({ frequency, details, flagLabels, footnotes, observations }: RawSeries): void {
  assertStated(frequency);
  const { title, units, publisher, multiplier, lastUpdate } = details;
  if (title !== undefined) assertText(title, 'title', 1);
  if (units !== undefined) assertText(units, 'units', 0);
  if (publisher !== undefined) assertText(publisher, 'publisher', 1);
  if (multiplier !== undefined && multiplier !== null) assert.ok(Number.isFinite(multiplier) && multiplier > 0);
  if (lastUpdate !== undefined) assertInstant(lastUpdate);
  assert.deepEqual(JSON.parse(JSON.stringify(details)), details, 'the details are JSON');
  for (const [flag, label] of Object.entries(flagLabels)) {
    assertText(flag, 'flag', 1);
    assertText(label, 'label of a flag', 1);
  }
  for (const footnote of footnotes) assertText(footnote, 'footnote', 1);
  for (const { flag } of observations) if (flag !== undefined) assertText(flag, 'flag', 1);
}

/** Checks entries of a listing or of a search. */
export function assertValidEntries(entries: readonly ListedEntry[]): void {
  for (const { seriesId, title, keywords, frequency, units, span, lastUpdate } of entries) {
    assertText(seriesId, 'series id', 1, MAX_ID);
    assertText(title, 'title', 1);
    for (const keyword of keywords) assertText(keyword, 'keyword', 1);
    assert.ok(frequency === null || FREQUENCIES.includes(frequency), `frequency ${frequency}`);
    assertText(units, 'units', 0);
    assertSpan(span);
    assertInstant(lastUpdate);
  }
  assert.deepEqual(JSON.parse(JSON.stringify(entries)), entries, 'the entries are JSON');
}

function assertText(value: unknown, name: string, min: number, max = MAX_TEXT): void {
  assert.equal(typeof value, 'string', name);
  const { length } = value as string;
  assert.ok(length >= min && length <= max, `${name} has ${length} characters`);
  assert.equal((value as string).trim().length > 0, min > 0 || length > 0, `${name} is not blank`);
}

function assertInstant(text: string | null): void {
  if (text === null) return;
  assert.match(text, INSTANT);
  assert.equal(new Date(text).toISOString(), text);
}

function assertSpan(span: SeriesStructure['span']): void {
  if (span === null) return;
  assert.ok(Number.isFinite(span.first) && Number.isFinite(span.last) && span.first <= span.last, 'span');
}
