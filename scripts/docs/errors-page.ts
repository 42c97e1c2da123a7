import { ERROR_CATALOG } from '../../src/contract/index.ts';

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CATALOG).map(([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`);
  return `# Errors

<!-- Generated from src/contract/error-catalog.ts by \`npm run docs\`; do not edit. -->

The body of an error is \`{ "error": { "code", "message", "request_id" } }\`. Under \`/api/v1/market-search\` and
\`/api/market-data\` it is \`{ "ok": false, "error", "message" }\`, where \`error\` is the code. The message is for people:
it names the field and the remedy, in the form \`resource_scope.csv.ids[0]: …\`. Programs should read only the code.

| Header | On | Meaning |
| --- | --- | --- |
| \`x-request-id\` | every response | your own id if you sent a UUID in this header, otherwise a new one; equals \`error.request_id\`; the log has it |
| \`WWW-Authenticate\` | 401, and 403 for a missing scope | how to authenticate |
| \`Retry-After\` | 429 and 503 | seconds to wait |
| \`Allow\` | 405 | the allowed methods |

A request that cannot be read as HTTP gets \`INVALID_REQUEST\` with the matching HTTP status: 400, 408 (the headers or the
body arrived too slowly; the message names the limit) or 431 (the headers are too large).

| Status | Code | When |
| --- | --- | --- |
${rows.join('\n')}
`;
}
