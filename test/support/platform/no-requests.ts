import assert from 'node:assert/strict';
import type { ProviderClient } from '../../../src/platform/index.ts';

const fail = (): never => assert.fail('no request is expected');

/** The client of a provider that must send no request. */
export const NO_REQUESTS: ProviderClient = {
  getJson: fail,
  getText: fail,
  getBytes: fail,
  postJson: fail,
  postForm: fail,
};
