import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import type { ApiParts } from '../parts.ts';
import { handleUnknownRoutes } from './unknown-routes.ts';

test('a page that cannot be rendered for an unknown address leaves no request open', async () => {
  const app = Fastify();
  handleUnknownRoutes(app, {} as ApiParts, {
    admit: async () => {},
    sendError: () => {
      throw new Error('The page cannot be rendered.');
    },
  });
  const response = await app.inject({ url: '/nothing', headers: { accept: 'text/html' } });
  assert.equal(response.statusCode, 500);
  await app.close();
});
