/** The statements that write nothing, unless they contain one of the words below. */
const MAY_READ =
  /^\s*(select|with|values|show|explain|listen|unlisten|set|begin|start|commit|rollback|savepoint|release)\b/i;

/** The words of statements that write rows, lock rows (which writes to them) or change the schema. */
const WRITES =
  /\b(insert|update|delete|merge|create|alter|drop|truncate|nextval|setval|pg_notify)\b|\bfor\s+(key\s+)?share\b/i;

/** Maximum number of texts whose result is kept. The service has some hundreds. */
const MAX_KEPT = 2_000;

const kept = new Map<string, boolean>();

/** Returns whether a statement may write. A text that only mentions a word such as `delete` counts as one that does. */
export function isWrite(text: string): boolean {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const writes = !MAY_READ.test(text) || WRITES.test(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, writes);
  return writes;
}
