import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BIG, toBig, ulpsBetween } from '../../../test/support/engine/big-elementary.ts';
import * as elementary from './elementary.ts';
import { createRandom } from './random.ts';
import * as trigonometric from './trigonometric.ts';

const functions = { ...elementary, ...trigonometric };
const { uniform: random } = createRandom(7);
const between = (low: number, high: number) => (): number => low + (high - low) * random();
/** Draws sizes from 2^low to 2^high. */
const sized = (low: number, high: number) => (): number => 2 ** between(low, high)();
const signed = (draw: () => number) => (): number => (random() < 0.5 ? -draw() : draw());
const nearOne = (): number => 1 + signed(sized(-50, -3))();
const nearQuarterTurns = (): number => Math.round(1_000 * random()) * (Math.PI / 2);
const ANGLES = [between(-4, 4), between(-2e6, 2e6), signed(sized(-30, 300)), nearQuarterTurns];

/** How the arguments of each function are drawn. */
const ARGUMENTS: Record<Exclude<keyof typeof BIG, 'pow'>, readonly (() => number)[]> = {
  exp: [between(-1, 1), between(-745, 709), signed(sized(-60, 9))],
  expm1: [between(-1, 1), between(-45, 709), signed(sized(-60, 5))],
  log: [between(0.5, 2), sized(-1074, 1023), nearOne],
  log1p: [between(-0.9, 2), sized(-60, 1023), signed(sized(-60, -1))],
  log2: [between(0.5, 2), sized(-1074, 1023), nearOne],
  sinh: [between(-2, 2), between(-710, 710), signed(sized(-60, 5))],
  tanh: [between(-2, 2), between(-22, 22), signed(sized(-60, 5))],
  asinh: [between(-3, 3), signed(sized(-40, 300)), signed(sized(-30, 2))],
  sin: ANGLES,
  cos: ANGLES,
  tan: ANGLES,
};
const POWERS = [
  [between(0.5, 2), between(-20, 20)],
  [sized(-100, 100), between(-8, 8)],
  [nearOne, sized(3, 8)],
] as const;

describe('elementary functions', () => {
  for (const [name, draws] of Object.entries(ARGUMENTS) as [keyof typeof ARGUMENTS, (() => number)[]][]) {
    test(`${name} is within 1 ulp`, () => {
      for (const draw of draws) {
        for (let i = 0; i < 60; i++) checkWithinOneUlp(functions[name], BIG[name], [draw()]);
      }
    });
  }

  test('pow is within 1 ulp', () => {
    for (const [base, power] of POWERS) {
      for (let i = 0; i < 60; i++) checkWithinOneUlp(functions.pow, BIG.pow, [base(), power()]);
    }
  });

  test('powers of two and their logarithms are exact', () => {
    for (let power = -1074, expected = Number.MIN_VALUE; power <= 1023; power++, expected *= 2) {
      assert.equal(functions.pow(2, power), expected);
      assert.equal(functions.log2(expected), power);
    }
  });

  test('special arguments have the values that Math defines', () => {
    const special = [0, -0, 1, -1, Infinity, -Infinity, NaN, -2, 1e-320, 1e308, -1e308, 746, -746];
    for (const name of Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[]) {
      for (const x of special) {
        const expected = Math[name](x);
        if (Number.isFinite(expected) && expected % 1 !== 0) continue;
        assert.ok(Object.is(functions[name](x), expected), `${name}(${x}) is ${functions[name](x)}, not ${expected}`);
      }
    }
    for (const base of special.filter((one) => !(one < 0 || Object.is(one, -0)))) {
      for (const power of special) {
        const expected = base === 1 ? 1 : base ** power;
        if (Number.isFinite(expected) && expected % 1 !== 0) continue;
        assert.equal(functions.pow(base, power), expected, `pow(${base}, ${power})`);
      }
    }
  });
});

function checkWithinOneUlp<A extends number[]>(
  ours: (...x: A) => number,
  exact: (...x: { [K in keyof A]: bigint }) => bigint,
  x: A,
): void {
  const value = ours(...x);
  const ulps = ulpsBetween(value, exact(...(x.map(toBig) as { [K in keyof A]: bigint })));
  assert.ok(ulps < 1, `${value} at ${x.join(', ')} is ${ulps} ulp away`);
}
