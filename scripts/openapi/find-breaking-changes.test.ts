import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBreakingChanges, type OpenApiDocument } from './find-breaking-changes.ts';

const RELEASED = {
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        'x-required-scope': 'things:write',
        parameters: [
          { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  name: { type: 'string', maxLength: 80 },
                  kind: { type: 'string', enum: ['small', 'large'] },
                  note: { type: ['string', 'null'], pattern: '^[a-z]*$' },
                },
                required: ['name'],
                additionalProperties: false,
              },
            },
          },
        },
        responses: {
          201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          size: { type: 'integer' },
          state: { type: 'string', enum: ['open', 'closed'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          shape: {
            anyOf: [{ type: 'object', properties: { side: { type: 'number' } }, required: ['side'] }, { type: 'null' }],
          },
        },
        required: ['id', 'size'],
      },
    },
  },
} as const;

/** Where something changes, and its new value; undefined if it is gone. */
type Change = readonly [path: readonly (string | number)[], value?: unknown];

const OPERATION = ['paths', '/things', 'post'] as const;
const BODY = [...OPERATION, 'requestBody', 'content', 'application/json', 'schema'] as const;
const FIELDS = [...BODY, 'properties'] as const;
const LIMIT = [...OPERATION, 'parameters', 0] as const;
const THING = ['components', 'schemas', 'Thing'] as const;
const PARTS = [...THING, 'properties'] as const;

function changesAfter([path, value]: Change): string[] {
  const present = structuredClone(RELEASED) as unknown as OpenApiDocument;
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], present);
  const key = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent as object, key);
  else Object.assign(parent as object, { [key]: value });
  return findBreakingChanges(RELEASED as unknown as OpenApiDocument, present);
}

const BREAKING: Record<string, Change> = {
  'createThing is gone': [['paths', '/things']],
  'createThing: is named makeThing': [[...OPERATION, 'operationId'], 'makeThing'],
  'createThing: the scope things:write is not enough': [[...OPERATION, 'x-required-scope'], 'things:admin'],
  'createThing: the query parameter limit is gone': [[...OPERATION, 'parameters'], []],
  'createThing: the query parameter limit is required': [[...LIMIT, 'required'], true],
  'createThing: the query parameter limit: maximum is 50, before 100': [[...LIMIT, 'schema', 'maximum'], 50],
  'createThing: the header parameter If-Match is new and required': [
    [...OPERATION, 'parameters', 1],
    { name: 'If-Match', in: 'header', required: true, schema: {} },
  ],
  'createThing: a body of application/json is not accepted': [[...OPERATION, 'requestBody', 'content'], {}],
  'createThing: the body: note is gone': [[...FIELDS, 'note']],
  'createThing: the body: kind is required': [
    [...BODY, 'required'],
    ['name', 'kind'],
  ],
  'createThing: name of the body: maxLength is 40, before 80': [[...FIELDS, 'name', 'maxLength'], 40],
  'createThing: kind of the body can be large': [[...FIELDS, 'kind', 'enum'], ['small']],
  'createThing: kind of the body: the default is "small", before none': [[...FIELDS, 'kind', 'default'], 'small'],
  'createThing: note of the body can be of type string or null, not only string': [
    [...FIELDS, 'note', 'type'],
    'string',
  ],
  'createThing: note of the body: the pattern is ^[a-m]*$, before ^[a-z]*$': [
    [...FIELDS, 'note', 'pattern'],
    '^[a-m]*$',
  ],
  'createThing: the response 201 is gone': [[...OPERATION, 'responses'], { 200: {} }],
  'createThing: a response 201 of application/json is gone': [[...OPERATION, 'responses', 201], { content: {} }],
  'createThing: the response 201: state is gone': [[...PARTS, 'state']],
  'createThing: the response 201: size is not always there': [[...THING, 'required'], ['id']],
  'createThing: size of the response 201 can be of type number, not only integer': [
    [...PARTS, 'size', 'type'],
    'number',
  ],
  'createThing: id of the response 201 has the format any, not uuid': [[...PARTS, 'id', 'format']],
  'createThing: shape of the response 201: side is not always there': [[...PARTS, 'shape', 'anyOf', 0, 'required'], []],
};

for (const [description, change] of Object.entries(BREAKING)) {
  test(`finds: ${description}`, () => {
    assert.deepEqual(changesAfter(change), [description]);
  });
}

const HARMLESS: Record<string, Change> = {
  'a new operation': [['paths', '/others'], { get: { operationId: 'listOthers', responses: {} } }],
  'a new optional field of a request': [[...FIELDS, 'color'], { type: 'string' }],
  'a wider limit': [[...FIELDS, 'name', 'maxLength'], 200],
  'a new value in a request': [
    [...FIELDS, 'kind', 'enum'],
    ['small', 'medium', 'large'],
  ],
  'a new field of a response': [[...PARTS, 'color'], { type: 'string' }],
  'a new named value of a response': [
    [...PARTS, 'state', 'enum'],
    ['open', 'closed', 'lost'],
  ],
  'a field of a response that is always there now': [
    [...THING, 'required'],
    ['id', 'size', 'state'],
  ],
  'an operation that needs no scope any more': [[...OPERATION, 'x-required-scope']],
};

for (const [description, change] of Object.entries(HARMLESS)) {
  test(`accepts ${description}`, () => {
    assert.deepEqual(changesAfter(change), []);
  });
}
