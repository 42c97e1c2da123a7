import { canonicalJson, type WarehouseReference } from '../../contract/index.ts';

/**
 * Returns a reference as snapshots store it and compare it with others: instants in UTC, filters and their values in
 * order and without repetitions. Fields that the reference leaves out are undefined, so that it does not match the
 * rows of a reference that has them.
 */
export function canonicalReference(reference: WarehouseReference): WarehouseReference {
  const { type, table, time_field, time_format, value_field, start, end, aggregate } = reference;
  return {
    type,
    table,
    time_field,
    time_format,
    value_field,
    filters: orderFilters(reference.filters ?? []),
    start: start === undefined ? undefined : toUtc(start),
    end: end === undefined ? undefined : toUtc(end),
    aggregate: aggregate && { function: aggregate.function, frequency: aggregate.frequency },
  };
}

type Filters = NonNullable<WarehouseReference['filters']>;

/** Returns the filters in order; undefined if there are none. */
function orderFilters(filters: Filters): Filters | undefined {
  if (filters.length === 0) return undefined;
  return filters
    .map(({ field, values }) => {
      const byText = new Map(values.map((value) => [canonicalJson(value), value]));
      return { field, values: [...byText].sort(([one], [other]) => compare(one, other)).map(([, value]) => value) };
    })
    .sort((one, other) => compare(one.field, other.field));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function toUtc(text: string): string {
  return new Date(text).toISOString();
}
