/** Libraries that parse an address write it with a slash at the end; to us it is the same. */
export function isSite(resource: string, siteUrl: string): boolean {
  return resource === siteUrl || resource === `${siteUrl}/`;
}
