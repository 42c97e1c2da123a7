import { type DescribedOperation, type OpenApi, type Parameter, resolveSchema, type Schema } from './openapi.ts';

/**
 * The name that the client gives to each group of operations, and the words that its methods leave out of the ids of
 * operations: `createForecast` is `forecasts.create`.
 */
const NAMESPACES: Readonly<Record<string, readonly [namespace: string, omitted: RegExp]>> = {
  Access: ['account', /Account/],
  Keys: ['keys', /ApiKeys?/],
  Sessions: ['sessions', /Sessions?/],
  Search: ['series', /Series/],
  Download: ['market', /Market/],
  Feeds: ['feeds', /Feeds?/],
  Forecast: ['forecasts', /Forecasts?/],
  Workspaces: ['workspaces', /Workspaces?/],
  Scout: ['events', /Events?/],
  Screener: ['screener', /ScreenerAlerts?|Screener/],
  Webhooks: ['webhooks', /(?<!Workspace)Webhooks?/],
  Administration: ['administration', /^$/],
};

/** POST operations that store nothing, or that have the same effect when they are repeated. */
const SAFE_TO_REPEAT: ReadonlySet<string> = new Set([
  ...['searchSeries', 'previewSeries', 'describeSeries', 'readObservations', 'readStockHistory'],
  ...['estimateForecast', 'previewEventsFromForecast', 'previewScreenerAlert'],
  // Their descriptions state that repeating the request is safe.
  ...['cancelForecast', 'saveForecast'],
]);

/** The list of a page, for operations whose pages have several lists. */
const PAGE_ITEMS: Readonly<Record<string, string>> = { readCsvFile: 'page', searchSeries: 'results' };

/** An operation as the client needs it. */
export interface ClientOperation {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
  readonly description: string | null;
  readonly params: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** The schema of a JSON body. */
  readonly body: Schema | null;
  /** The media type of a body that is a file. */
  readonly upload: string | null;
  /** `safe`: the request may be repeated. `key`: with the same Idempotency-Key. */
  readonly repeat: 'safe' | 'key' | 'never';
  readonly conditional: boolean;
  readonly envelope: 'data' | 'ok' | null;
  readonly attachment: boolean | 'always';
  readonly stream: boolean;
  /** The data of a JSON reply, without its envelope. */
  readonly data: Schema | null;
  /** The field with the list of a page; null if the reply is not a page. */
  readonly items: string | null;
  /** The format of a reply that can also be a file, if the request names none. */
  readonly defaultFormat: string | null;
}

/** Returns the operations of the document with everything that the client needs. Throws if two methods would have one name. */
export function listOperations(document: OpenApi): ClientOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      readOperation(document, described, method.toUpperCase(), path),
    ),
  );
  const names = operations.map(({ namespace, name }) => `${namespace}.${name}`);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new Error(`Two operations would be called ${repeated}. Change NAMESPACES.`);
  const unknown = [...SAFE_TO_REPEAT, ...Object.keys(PAGE_ITEMS)].filter(
    (id) => !operations.some((op) => op.id === id),
  );
  if (unknown.length > 0) throw new Error(`SAFE_TO_REPEAT or PAGE_ITEMS name no operation: ${unknown.join(', ')}.`);
  return operations;
}

function readOperation(
  document: OpenApi,
  described: DescribedOperation,
  method: string,
  path: string,
): ClientOperation {
  const {
    operationId: id,
    parameters,
    requestBody,
    responses,
    summary,
    description = null,
    deprecated = false,
  } = described;
  const has = (header: string) => parameters.some(({ name }) => name === header);
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
  const files = Object.keys(content).filter((type) => !['application/json', 'text/event-stream'].includes(type));
  const reply = content['application/json']?.schema ?? null;
  const fields = parameters.filter((parameter) => parameter.in !== 'header');
  const body = requestBody?.content['application/json']?.schema ?? null;
  const data = reply && withoutEnvelope(reply);
  return {
    ...nameMethod(id, described.tags[0]),
    id,
    method,
    path,
    summary,
    deprecated,
    description,
    params: fields.filter((parameter) => parameter.in === 'path'),
    query: fields.filter((parameter) => parameter.in === 'query'),
    body,
    upload: body === null ? (Object.keys(requestBody?.content ?? {})[0] ?? null) : null,
    repeat: has('Idempotency-Key') ? 'key' : isSafe(id, method) ? 'safe' : 'never',
    conditional: has('If-Match'),
    envelope: reply && (reply.properties?.data ? 'data' : 'ok'),
    attachment: files.length === 0 ? false : reply === null ? 'always' : true,
    stream: 'text/event-stream' in content,
    data,
    items: data && findItems(document, id, data, [...fields.map(({ name }) => name), ...bodyFields(document, body)]),
    defaultFormat: findDefaultFormat(document, fields, body),
  };
}

/** Returns whether a request can be repeated: reading and deleting are idempotent. */
function isSafe(id: string, method: string): boolean {
  return method === 'GET' || method === 'DELETE' || SAFE_TO_REPEAT.has(id);
}

function nameMethod(id: string, group: string): { readonly namespace: string; readonly name: string } {
  const [namespace, omitted] = NAMESPACES[group] ?? [];
  if (namespace === undefined || omitted === undefined) throw new Error(`NAMESPACES has no group ${group}.`);
  return { namespace, name: id.replace(omitted, '') };
}

/** Returns the data in a reply `{ data, meta }`, or the fields of a reply `{ ok: true, … }` without `ok`. */
function withoutEnvelope(reply: Schema): Schema {
  const { data, ok: _, ...properties } = reply.properties ?? {};
  if (data !== undefined) return data;
  return { ...reply, properties, required: (reply.required ?? []).filter((name) => name !== 'ok') };
}

function bodyFields(document: OpenApi, body: Schema | null): string[] {
  return Object.keys((body && resolveSchema(document, body).properties) ?? {});
}

function findItems(document: OpenApi, id: string, data: Schema, input: readonly string[]): string | null {
  const { properties = {} } = resolveSchema(document, data);
  if (!('next_cursor' in properties) || !input.includes('cursor')) return null;
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === 'array');
  const items = PAGE_ITEMS[id] ?? (lists.length === 1 ? lists[0] : undefined);
  if (items === undefined || !lists.includes(items))
    throw new Error(`${id}: name the list of its pages in PAGE_ITEMS.`);
  return items;
}

function findDefaultFormat(document: OpenApi, fields: readonly Parameter[], body: Schema | null): string | null {
  const format =
    fields.find(({ name }) => name === 'format')?.schema ?? (body && resolveSchema(document, body).properties?.format);
  return (format?.default as string | undefined) ?? null;
}

/** Writes the list of operations, from which the client builds requests. */
export function writeOperations(operations: readonly ClientOperation[]): string {
  const entries = operations.map((op) => {
    const listed = {
      namespace: op.namespace,
      name: op.name,
      method: op.method,
      path: op.path,
      query: op.query.map(({ name }) => name),
      body: op.body !== null ? 'json' : op.upload,
      repeat: op.repeat,
      envelope: op.envelope,
      stream: op.stream,
      file: op.attachment !== false,
      items: op.items,
    };
    return `  ${op.id}: ${JSON.stringify(listed)},\n`;
  });
  return `/** How the client sends each operation and reads its reply. */\nexport const operations = {\n${entries.join('')}} as const;\n`;
}
