import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { COMMITMENT_SERVICE_ABI } from '../../src/provenance/chain/contract.ts';
import { NODE_FLAGS } from '../launch/node-binary.mjs';
import { BUILD_FILE } from './compile.ts';

test('the contract compiles to the committed bytes', async () => {
  // In its own process, because the compiler handles the unhandled rejections of the process that loads it.
  const script = path.join(import.meta.dirname, 'run.ts');
  await promisify(execFile)(process.execPath, [...NODE_FLAGS, script, '--check']);
});

test('the service uses exactly the functions, events and errors that the contract has', () => {
  const { abi } = JSON.parse(readFileSync(BUILD_FILE, 'utf8')) as { abi: object[] };
  // Leaves out the names that Solidity itself has for the types.
  const fields = ['type', 'name', 'stateMutability', 'inputs', 'outputs', 'indexed'];
  const signatures = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry, fields)).sort();
  assert.deepEqual(signatures(COMMITMENT_SERVICE_ABI), signatures(abi));
});
