import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decompose } from './stl.ts';

test("agrees with R's stl", () => {
  // The first four years of R's AirPassengers; expected from stl(x, s.window = 11).
  const x = Float64Array.of(
    ...[112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133],
    ...[114, 140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180, 193, 181, 183, 218, 230, 242],
    ...[209, 191, 172, 194],
  );
  const { seasonal, trend } = decompose(x, 12, 11);
  const close = (found: number | undefined, expected: number) => assert.ok(Math.abs((found ?? 0) - expected) < 1e-6);
  close(seasonal[0], -13.94322137);
  close(seasonal[19], 28.77900264);
  close(seasonal[47], -13.38863849);
  close(trend[0], 123.5234487);
  close(trend[19], 143.7364993);
  close(trend[47], 210.2703832);
});
