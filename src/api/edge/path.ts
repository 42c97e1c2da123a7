/**
 * The path of a request as the router sees it: without query, without the origin of an absolute address, decoded.
 * Whatever looks at paths must look at this one, or an encoded letter (`/api/market%2Ddata`) would change the answer.
 */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*(?=\/)/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
