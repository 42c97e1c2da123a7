import { ERROR_CATALOG, METHOD_NOT_ALLOWED_NAMES } from '../../src/contract/index.ts';

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CATALOG).map(([code, { status, when }]) => `| ${status} | \`${code}\` | ${when} |`);
  return `# Errors

<!-- Generated from src/contract/error-catalog.ts by \`npm run docs\`; do not edit. -->

The body of an error is \`{ "error": { "code", "message", "request_id" } }\`. Under \`/api/v1/market-search\` and
\`/api/market-data\` it is \`{ "ok": false, "error", "message" }\`; here \`error\` is the code. The message is for people. If a
field is invalid, the message names it, as in \`resource_scope.csv.ids[0]: …\`. Programs should read only the code.

| Header | Responses | Meaning |
| --- | --- | --- |
| \`x-request-id\` | every response | the UUID that the request had in this header, otherwise a new one; the same as \`error.request_id\` and in the log |
| \`WWW-Authenticate\` | 401, and 403 for a missing scope | the required kind of authentication |
| \`Retry-After\` | 429 and 503 | the number of seconds to wait before a retry |
| \`Allow\` | 405 | the allowed methods |
| \`Deprecation\`, \`Sunset\` | every response of a deprecated operation | since when it is deprecated, and from when it may be gone ([rules](api-changes.md)) |

A request that cannot be read as HTTP gets \`INVALID_REQUEST\` with status 400, 408 (the headers or the body arrived too
slowly; the message names the limit) or 431 (the headers are too large).

A path answers every method that it does not support with 405. The OpenAPI document has this as the shared response
\`${METHOD_NOT_ALLOWED_NAMES.resource}\` or, under the two paths above, \`${METHOD_NOT_ALLOWED_NAMES.search}\`.

| Status | Code | When |
| --- | --- | --- |
${rows.join('\n')}
`;
}
