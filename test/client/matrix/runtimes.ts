import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { launchChromium } from '../../support/api/chromium.ts';
import { RUNTIMES } from './install.ts';

/** The folder with the installed client, and the service that it uses. */
export interface Place {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
}

const CLIENT_MODULE = 'node_modules/@almanac/client/dist/index.js';
const LIMIT_MS = 120_000;

/** Writes the programs that load the client into the folder in which it is installed. */
export function writePrograms({ folder, url, key }: Place): void {
  copyFileSync(join(import.meta.dirname, 'program.mjs'), join(folder, 'program.mjs'));
  const service = JSON.stringify({ url, key });
  const imports = "import * as client from '@almanac/client';\nimport { check } from './program.mjs';\n";
  writeFileSync(join(folder, 'main.mjs'), `${imports}console.log(JSON.stringify(await check(client, ${service})));\n`);
  const worker = `async fetch() {
    try { return Response.json(await check(client, ${service})); } catch (error) { return new Response(error.stack, { status: 500 }); }
  }`;
  writeFileSync(
    join(folder, 'worker.mjs'),
    `${imports.replace('@almanac/client', './client.mjs')}export default { ${worker} };\n`,
  );
  copyFileSync(join(folder, CLIENT_MODULE), join(folder, 'client.mjs'));
}

/** Runs the checks with a program that takes a module, such as Node. */
export async function runModule({ folder }: Place, program: string, args: readonly string[] = []): Promise<string[]> {
  return JSON.parse(await runProgram(folder, program, [...args, 'main.mjs']));
}

export function runDeno(place: Place): Promise<string[]> {
  return runModule(place, RUNTIMES.deno, ['run', '--no-remote', '--node-modules-dir=manual', '--allow-net=127.0.0.1']);
}

/** Runs a program to its end and returns its output. */
export async function runProgram(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}:\n${output}${errors}`);
  return output;
}

/** Runs the checks in a worker, which a request starts. */
export async function runWorkerd({ folder }: Place): Promise<string[]> {
  const modules = ['worker', 'client', 'program'].map(
    (name) => `(name = "${name}.mjs", esModule = embed "${name}.mjs")`,
  );
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [${modules.join(', ')}], compatibilityDate = "2026-01-01")),
    (name = "internet", network = (allow = ["private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;
  writeFileSync(join(folder, 'config.capnp'), config);
  // The program reports its port on a descriptor of its own.
  const child = spawn(RUNTIMES.workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const control = child.stdio[3] as NodeJS.ReadableStream;
    const port = await Promise.race([
      readPort(control),
      once(child, 'exit').then(() => Promise.reject(new Error('workerd ended'))),
    ]);
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (response.status !== 200) throw new Error(`the worker failed: ${await response.text()}`);
    return (await response.json()) as string[];
  } finally {
    child.kill('SIGKILL');
  }
}

async function readPort(control: NodeJS.ReadableStream): Promise<number> {
  let received = '';
  for await (const chunk of control) {
    received += chunk;
    const port = /"event":\s*"listen".*?"port":\s*(\d+)/.exec(received)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd reported no port: ${received}`);
}

/** A page on a site of its own, from which the client calls the service. */
export interface Page extends AsyncDisposable {
  readonly origin: string;
}

/** Serves the files of the client as a web site. The service must allow its origin. */
export async function servePage(folder: string): Promise<Page> {
  const server = createServer((request, response) => {
    const name = { '/client.mjs': 'client.mjs', '/program.mjs': 'program.mjs' }[request.url ?? ''];
    response.setHeader('content-type', name === undefined ? 'text/html' : 'text/javascript');
    response.end(name === undefined ? '<!doctype html><title>Client</title>' : readFileSync(join(folder, name)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function runChromium({ url, key }: Place, { origin }: Page): Promise<string[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const program = `Promise.all([import('/client.mjs'), import('/program.mjs')])
      .then(([client, { check }]) => check(client, ${JSON.stringify({ url, key })}))`;
    return await page.evaluate(program);
  } finally {
    await browser.close();
  }
}
