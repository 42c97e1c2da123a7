/** Tells a person at a terminal how to go on. Scripts read the `API key:` line. */
export function announce(siteUrl: string, key: string | null): void {
  const lines = [`Almanac is ready at ${siteUrl} (API documentation: ${siteUrl}/docs)`];
  if (key !== null) {
    lines.push(`API key: ${key}`, 'Try it:', `curl -s -H "Authorization: Bearer ${key}" ${siteUrl}/api/v1/me/access`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
