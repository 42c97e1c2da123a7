import type { PublicForecast } from '../../../forecasts/index.ts';

type About = PublicForecast['about'];

/** Returns the units of the rows; undefined if the source states none. */
export function unitsOf({ units }: About): string | undefined {
  return readText(units) ?? undefined;
}

/** Returns the title, the publisher and the license of the rows, each null if the source states none. */
export function creditsOf(about: About) {
  const { name } = (about.license ?? {}) as { readonly name?: unknown };
  return { title: readText(about.title), publisher: readText(about.publisher), license: readText(name) };
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
