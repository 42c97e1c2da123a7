import { type Licenses, licenseDenied } from '../access/index.ts';

type About = Readonly<Record<string, unknown>>;

/** Under what rows are, as they say of themselves; null: they say nothing, like those that a caller brings. */
export function licenseOf({ license }: About): string | null {
  const name = (license as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

/** Refuses rows under a licence that is denied. Those of callers and of their files are nobody else's to deny. */
export function requireLicense(licenses: Licenses, about: About): void {
  const name = licenseOf(about);
  if (name !== null && !licenses.allows(name)) throw licenseDenied('source: what it names', name);
}
