import { ERROR_CATALOG } from '../../src/contract/index.ts';

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CATALOG).map(([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`);
  return `# Errors

<!-- Made from src/contract/error-catalog.ts by \`npm run docs\`; do not edit. -->

A failure is \`{ "error": { "code", "message", "request_id" } }\`. Under \`/api/v1/market-search\` and \`/api/market-data\` it is
\`{ "ok": false, "error", "message" }\`, where \`error\` holds the code. The message is for people and names the field or the
remedy; programs should look at the code alone. Fields are written as \`resource_scope.csv.ids[0]\`.

Every response carries \`x-request-id\`: your own when you sent a UUID in that header, otherwise a new one. It equals
\`error.request_id\` and finds the request in the log. A 401 carries \`WWW-Authenticate\`; a 429 and a 503 carry
\`Retry-After\` in seconds; a 405 carries \`Allow\`. What cannot be read as an HTTP request at all is answered with
\`INVALID_REQUEST\` and the status that HTTP has for it: 400, 408 (head or body came too slowly; the message names the limit) or
431 (headers too large).

| Status | Code | When |
| --- | --- | --- |
${rows.join('\n')}
`;
}
