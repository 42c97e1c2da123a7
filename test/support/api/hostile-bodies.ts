/** A body that costs its reader much, with the operation that it is sent to. */
export interface HostileBody {
  readonly name: string;
  readonly path: string;
  /** Whether it needs no credential. */
  readonly isAnonymous?: true;
  readonly body: string;
  /** The statuses that refuse it. */
  readonly statuses: readonly number[];
}

const HORIZON = '"horizon":5';

function fields(count: number, value: string): string {
  return Array.from({ length: count }, (_, index) => `"${index}":${value}`).join(',');
}

/** Returns the text of a body with this many inline rows. @param isCompact whether the rows are two lists */
export function inlineBody(rows: number, isCompact = false): string {
  const timestamps = Array.from({ length: rows }, (_, row) => new Date(row * 3_600_000).toISOString());
  const values = Array.from({ length: rows }, (_, row) => -1.234_567_890_123_456_7e-100 * (row + 1));
  const source = isCompact
    ? { type: 'inline', timestamps, values }
    : { type: 'inline', points: timestamps.map((timestamp, row) => ({ timestamp, value: row % 97 })) };
  return JSON.stringify({ source, horizon: 5, models: ['seasonal_naive'] });
}

/** Returns bodies of about 1.9 MB with 190,000 values, or smaller ones in the same proportion. */
export function hostileBodies(count = 190_000): HostileBody[] {
  const forecast = '/v1/ensemble-forecasts';
  const empty = '"source":{"type":"inline","points":[]}';
  const rows = Math.ceil(count / 4.5);
  return [
    {
      name: 'weights of a wrong type',
      path: forecast,
      body: `{${empty},${HORIZON},"weights":{${fields(count, '""')}}}`,
    },
    { name: 'valid weights', path: forecast, body: `{${empty},${HORIZON},"weights":{${fields(count, '1')}}}` },
    { name: 'unknown fields of a forecast', path: forecast, body: `{${empty},${HORIZON},${fields(count, '1')}}` },
    { name: 'models', path: forecast, body: `{${empty},${HORIZON},"models":[${'"x",'.repeat(count)}"x"]}` },
    {
      name: 'invalid rows',
      path: forecast,
      body: `{"source":{"type":"inline","points":[${'{"timestamp":"x","value":"y"},'.repeat(rows)}1]},${HORIZON}}`,
    },
    {
      name: 'dimensions of a series',
      path: '/v1/market-search/describe',
      body: `{"source":{"type":"economic_series","provider":"x","series_id":"y","dimensions":{${fields(count, '"z"')}}}}`,
    },
    {
      name: 'unknown fields of a sign-in',
      path: '/v1/sessions',
      isAnonymous: true,
      body: `{"email":"a@b.c","password":"x",${fields(count, '1')}}`,
    },
  ].map((body) => ({ statuses: [400, 413], ...body }) as HostileBody);
}
