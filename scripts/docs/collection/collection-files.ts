import {
  EXAMPLE_RUN,
  EXAMPLES,
  type ExampleStep,
  GIVEN_VARIABLES,
  OPERATION_GROUPS,
  operations,
} from '../../../src/contract/index.ts';
import { formatBru } from './bru.ts';
import { formatRequest } from './request-file.ts';

/**
 * Returns the files of the collection of requests for Bruno, by their path: a folder for each group of operations, and
 * a file for each example.
 */
export function collectionFiles(): Readonly<Record<string, string>> {
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name: 'Almanac', type: 'collection' }, null, 2)}\n`,
    'collection.bru': formatBru([{ name: 'docs', text: DOCS }]),
    'environments/local.bru': environment(),
    ...folders(),
    ...requests(),
  };
}

const SECRETS = /key$|password$|session$/;

const DOCS = `# Almanac

One request for each operation of the API, with the examples of the OpenAPI document. Fill in the variables of the
environment \`local\` first. Requests that create something set the variables that later requests use, such as
\`forecast_id\`.

| Variable | Value |
| --- | --- |
${Object.entries(GIVEN_VARIABLES)
  .map(([name, description]) => `| \`${name}\` | ${description} |`)
  .join('\n')}

The requests under Administration need an administrator. \`eraseAccount\` erases the account of \`session\`.`;

/** Secrets are listed without a value, so that Bruno stores what the user fills in outside the collection. */
function environment(): string {
  const names = Object.keys(GIVEN_VARIABLES);
  return formatBru([
    {
      name: 'vars',
      fields: {
        base_url: 'http://127.0.0.1:8080/api',
        email: 'ada@example.org',
        member_email: 'grace@example.org',
      },
    },
    { name: 'vars:secret', items: names.filter((name) => SECRETS.test(name)) },
  ]);
}

function folders(): Record<string, string> {
  const entries = Object.entries(OPERATION_GROUPS).map(([name, description], i): [string, string] => [
    `${name}/folder.bru`,
    formatBru([
      { name: 'meta', fields: { name, seq: i + 1 } },
      { name: 'docs', text: description },
    ]),
  ]);
  return Object.fromEntries(entries);
}

/** In each folder, the requests have the order of the run, in which every example answers. */
function requests(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const step of EXAMPLE_RUN) files[pathOf(step)] ??= '';
  const counts = new Map<string, number>();
  for (const step of EXAMPLE_RUN) {
    const path = pathOf(step);
    if (files[path] !== '') continue;
    const { id, summary, example } = describeStep(step);
    const { group } = operations[id];
    const position = (counts.get(group) ?? 0) + 1;
    counts.set(group, position);
    files[path] = formatRequest({ operation: operations[id], summary, example, position });
  }
  return files;
}

function describeStep(step: ExampleStep) {
  return typeof step === 'string'
    ? { id: step, summary: operations[step].summary, example: EXAMPLES[step] }
    : { id: step.of, summary: step.summary, example: step.example };
}

function pathOf(step: ExampleStep): string {
  const { id, summary } = describeStep(step);
  const name = typeof step === 'string' ? id : summary.toLowerCase().replaceAll(' ', '-');
  return `${operations[id].group}/${name}.bru`;
}
