import { readFileSync } from 'node:fs';
import type { WindowSeries } from '../published/read-sets.ts';

/** Orders of 36 items by day from 2020 to 2022. Some items were offered in some years only. */
const ORDERS = 'node_modules/@observablehq/sample-datasets/pizza.csv';
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2020, 0, 1);
const DAYS = 1096;
const HORIZON = 28;
/** How many days before the end each window ends. */
const ENDS = [0, 200];

/** Returns the orders of each item by day. A day without a row has no orders. */
export function pizzaGroup(): [string, WindowSeries[]] {
  const items = new Map<string, Float64Array>();
  for (const line of readFileSync(ORDERS, 'utf8').trim().split('\n').slice(1)) {
    const [date = '', , , name = '', , orders] = line.split(',');
    const values = items.get(name) ?? new Float64Array(DAYS);
    items.set(name, values);
    values[(Date.parse(date) - FIRST_DAY) / DAY_MS] = Number(orders);
  }
  const windows = [...items].flatMap(([name, values]) =>
    ENDS.map((end): WindowSeries => {
      const origin = DAYS - end - HORIZON;
      return {
        id: `${name}, ${end} before the end`,
        group: 'daily',
        season: 7,
        horizon: HORIZON,
        history: values.subarray(0, origin),
        actuals: values.subarray(origin, origin + HORIZON),
        window: 1,
        first: '2020-01-01',
      };
    }),
  );
  // An item that has not been offered for a month is left out.
  return [
    'pizza orders by item and day',
    windows.filter(({ history }) => history.slice(-28).some((orders) => orders > 0)),
  ];
}
