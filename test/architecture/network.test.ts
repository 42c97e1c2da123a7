import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource, sourceFiles } from './imports.ts';

/** Names of Node's network modules that open no connection. */
const HARMLESS = [
  'createServer',
  'BlockList',
  'isIP',
  'isIPv4',
  'isIPv6',
  'SocketAddress',
  'STATUS_CODES',
  'maxHeaderSize',
];

const MODULE = "'(?:node:)?(http|https|http2|net|tls|dgram|undici)'";
const IMPORT = new RegExp(String.raw`import (?!type\b)([^'";]+?) from ${MODULE}`, 'g');
const BUILTIN = new RegExp(String.raw`(?:const|let) ([^=;]+?) = process\.getBuiltinModule\(${MODULE}\)`, 'g');
const OTHER_FORM = new RegExp(String.raw`(?:import\(|require\()\s*${MODULE}|(?<!= process\.)getBuiltinModule\(`);

/** Returns the names of Node's network modules that a source file can use to open a connection. */
function findConnectingNames(source: string): string[] {
  return [...source.matchAll(IMPORT), ...source.matchAll(BUILTIN)].flatMap(([, clause = '', module]) =>
    clause
      .replace(/^\{|\}$/g, '')
      .split(',')
      .map((name) => name.trim().replace(/ as \w+$|:.*$/, ''))
      .filter((name) => name !== '' && !name.startsWith('type ') && !HARMLESS.includes(name))
      .map((name) => `${module}.${name}`),
  );
}

/** Returns whether a source file uses a global function or class that opens a connection. */
function usesGlobalConnection(source: string): boolean {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/^\s*(?:async )?fetch\(.*\{$/gm, '');
  return /(?<![\w.#-])fetch\b(?!\s*[:?-])|\b(?:globalThis|global)\.fetch\b|new (?:WebSocket|EventSource)\(/.test(code);
}

test('only send.ts sends requests to other machines', () => {
  const connecting = sourceFiles().flatMap((file) =>
    findConnectingNames(readSource(file)).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(connecting, [
    // The command line connects to a socket of this machine.
    'cli/control-socket.ts: net.connect',
    // pg connects the sockets of its connections to the database.
    'platform/database/dead-peers.ts: net.Socket',
    'platform/outbound/send.ts: http.Agent',
    'platform/outbound/send.ts: http.request',
    'platform/outbound/send.ts: https.Agent',
    'platform/outbound/send.ts: https.request',
  ]);
  assert.deepEqual(
    sourceFiles().filter((file) => OTHER_FORM.test(readSource(file))),
    [],
  );
});

test('no source file uses the global fetch, WebSocket or EventSource', () => {
  assert.deepEqual(
    sourceFiles().filter((file) => usesGlobalConnection(readSource(file))),
    [],
  );
});

test('finds every way to open a connection', () => {
  for (const [source, name] of [
    ["import { request } from 'node:https';", 'https.request'],
    ["import { createServer, get as read, type Agent } from 'node:http';", 'http.get'],
    ["import https from 'node:https';", 'https.https'],
    ["import { fetch } from 'undici';", 'undici.fetch'],
    ["import * as net from 'node:net';", 'net.*'],
    ["const { STATUS_CODES, request: send } = process.getBuiltinModule('node:http');", 'http.request'],
  ] as const) {
    assert.deepEqual(findConnectingNames(source), [name], source);
  }
  for (const source of ["await import('node:http')", "use(process.getBuiltinModule('node:http'))"]) {
    assert.match(source, OTHER_FORM);
  }
  for (const source of [
    'await fetch(url)',
    'use(fetch)',
    'const send = fetch;',
    '{ fetch }',
    'globalThis.fetch(url)',
  ]) {
    assert.equal(usesGlobalConnection(source), true, source);
  }
  for (const source of [
    'fetches.run()',
    'this.#fetch(plan)',
    'handler.fetch(request)',
    '{ fetch: guarded }',
    '// fetch',
  ]) {
    assert.equal(usesGlobalConnection(source), false, source);
  }
});
