import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from 'oidc-provider';
import { invalidClientDocument } from '../faults.ts';
import { acceptedAudiences, configureProvider, findOneResource, findResource } from './configuration.ts';
import { findDocumentFault } from './fetch-documents.ts';

const SITE = 'https://almanac.example';

test('finds a resource by its URL, with or without a slash at the end', () => {
  assert.equal(findResource(SITE, SITE), 'api');
  assert.equal(findResource(`${SITE}/`, SITE), 'api');
  assert.equal(findResource(`${SITE}/mcp`, SITE), 'mcp');
  assert.equal(findResource(`${SITE}/mcp/`, SITE), 'mcp');
  const others = ['', '/', '/mcp', `${SITE}//`, `${SITE}/mcp//`, `${SITE}/MCP`, `${SITE}/mcp?a`, `${SITE}/mcp#a`];
  for (const other of [...others, `${SITE}.evil.example/mcp`, `${SITE}/api`, 'https://evil.example/mcp']) {
    assert.equal(findResource(other, SITE), null, other);
  }
});

test('several values must name one resource', () => {
  assert.equal(findOneResource([`${SITE}/mcp/`, `${SITE}/mcp`], SITE), `${SITE}/mcp`);
  assert.equal(findOneResource([`${SITE}/`, SITE], SITE), SITE);
  for (const several of [[], [SITE, `${SITE}/mcp`], [`${SITE}/mcp`, 'https://evil.example'], ['']]) {
    assert.equal(findOneResource(several, SITE), null, several.join(' '));
  }
});

test('the API accepts only tokens for the site, and the tools of agents accept both', () => {
  assert.deepEqual(acceptedAudiences(SITE, 'api'), [SITE]);
  assert.deepEqual(acceptedAudiences(SITE, 'mcp'), [SITE, `${SITE}/mcp`]);
});

test('a document that fails when it is read again is an invalid client with its reason, and no error of the service', async () => {
  const allowing = (failure: Error) => {
    const documents = { read: () => Promise.reject(failure), findProblem: () => Promise.reject(failure) };
    const parts = { siteUrl: SITE, errors, documents, cookieKeys: [] } as unknown as Parameters<
      typeof configureProvider
    >[0];
    const allow = configureProvider(parts).features?.clientIdMetadataDocument?.allowClient;
    return allow?.({ oidc: { params: {} } } as never, { clientId: `${SITE}/client.json` } as never);
  };
  const fault = invalidClientDocument('is not JSON');
  await assert.rejects(
    async () => allowing(fault),
    (error) => error instanceof errors.InvalidClient && findDocumentFault(error) === fault,
  );
  const broken = new TypeError('broken');
  await assert.rejects(async () => allowing(broken), broken);
});
