/**
 * The keys of an object in the text of valid JSON, each as often as it occurs. `JSON.parse` keeps the last of several
 * equal ones and says nothing.
 */
export function topLevelKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (char === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && isFollowedByColon(json, end)) keys.push(JSON.parse(json.slice(at, end)) as string);
      at = end - 1;
    }
  }
  return keys;
}

/** Where a string that begins at a quotation mark is over. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isFollowedByColon(json: string, from: number): boolean {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++;
  return json[at] === ':';
}
