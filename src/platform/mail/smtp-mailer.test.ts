import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { type MailServer, startMailServer } from '../../../test/support/platform/mail-server.ts';
import { loadConfig } from '../config/load-config.ts';
import { MailError } from './mailer.ts';
import { buildConnectionOptions, createSmtpMailer } from './smtp-mailer.ts';

const MAIL = { to: 'person@example.org', subject: 'Hello', text: 'A line.\n' };

function mailerTo(url: string, timeoutMs?: number) {
  const { mail } = loadConfig({ ALMANAC_SMTP_URL: url, ALMANAC_MAIL_FROM: 'Almanac <almanac@mail.example>' });
  assert.ok(mail);
  return createSmtpMailer({ ...mail, ...(timeoutMs !== undefined && { timeoutMs }) });
}

async function failureOf(sending: Promise<void>): Promise<MailError> {
  const error = await sending.then(
    () => assert.fail('The email was sent.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MailError, String(error));
  assert.equal(error.cause, undefined);
  assert.doesNotMatch(JSON.stringify({ ...error, message: error.message, stack: error.stack }), /person@|hunter2/);
  return error;
}

/** Returns the values of a header. */
function header({ headers }: MailServer['mails'][number], name: string): string[] {
  const start = `${name.toLowerCase()}: `;
  return headers.filter((line) => line.toLowerCase().startsWith(start)).map((line) => line.slice(start.length));
}

test('delivers an email unchanged', async () => {
  await using server = await startMailServer();
  const link = `https://almanac.example/auth/reset?token=alm_lnk_${'x'.repeat(49)}`;
  const text = `Grüße an dich.\n\n${link}\n\n.\nEin Punkt allein.\n`;
  await mailerTo(server.url()).send({ ...MAIL, subject: 'Grüße', text });
  const [mail] = server.mails;
  assert.ok(mail);
  assert.deepEqual(mail.recipients, [MAIL.to]);
  assert.deepEqual(mail.text.trimEnd(), text.trimEnd());
  assert.deepEqual(mail.links, [link]);
  assert.deepEqual(header(mail, 'from'), ['Almanac <almanac@mail.example>']);
  assert.deepEqual(header(mail, 'to'), [MAIL.to]);
  assert.deepEqual(header(mail, 'auto-submitted'), ['auto-generated']);
});

test('does not let an address or a subject add a header or a recipient', async () => {
  await using server = await startMailServer();
  const mailer = mailerTo(server.url());
  await mailer.send({ ...MAIL, subject: 'Hello\r\nBcc: other@example.org\r\nX-Mine: yes\r\n\r\nbody' });
  for (const to of [
    'person@example.org\r\nBcc: other@example.org',
    'person@example.org, other@example.org',
    'person@example.org>\r\nRCPT TO:<other@example.org',
  ])
    await mailer.send({ ...MAIL, to }).catch(() => {});
  for (const mail of server.mails) {
    assert.ok(!mail.recipients.includes('other@example.org'), mail.recipients.join());
    assert.equal(mail.recipients.length, 1);
    assert.deepEqual([header(mail, 'bcc'), header(mail, 'x-mine')], [[], []]);
    assert.equal(mail.text.trimEnd(), MAIL.text.trimEnd());
  }
  assert.ok(server.mails.length >= 1);
});

test('logs in to a server that requires it and distinguishes a wrong login from a refused mail', async () => {
  await using server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'us er@x' && password === 'hunter2:@/%' ? done(null, { user: username }) : done(new Error('no')),
  });
  await mailerTo(server.url('us%20er%40x:hunter2%3A%40%2F%25')).send(MAIL);
  assert.equal(server.mails[0]?.user, 'us er@x');
  const wrong = await failureOf(mailerTo(server.url('us%20er%40x:hunter2')).send(MAIL));
  assert.equal(wrong.permanent, false, 'the operator can correct it');
  const none = await failureOf(mailerTo(server.url()).send(MAIL));
  assert.equal(none.permanent, false);
  assert.equal(server.mails.length, 1);
});

test('uses encryption if the server offers it', async () => {
  await using server = await startMailServer({ disabledCommands: [], authOptional: true });
  await mailerTo(server.url()).send(MAIL);
  assert.equal(server.mails[0]?.encrypted, true);
});

test('sends a password to another machine only encrypted and with a valid certificate', () => {
  const connection = (url: string) => {
    const { mail } = loadConfig({ ALMANAC_SMTP_URL: url, ALMANAC_MAIL_FROM: 'a@mail.example' });
    assert.ok(mail);
    const { requireTLS, secure, tls } = buildConnectionOptions(mail.server);
    return { requireTLS, secure, checked: tls.rejectUnauthorized };
  };
  assert.deepEqual(connection('smtp://a:b@mail.example'), { requireTLS: true, secure: false, checked: true });
  assert.deepEqual(connection('smtps://a:b@mail.example'), { requireTLS: false, secure: true, checked: true });
  assert.deepEqual(connection('smtp://mail.example'), { requireTLS: false, secure: false, checked: true });
  assert.deepEqual(connection('smtp://a:b@127.0.0.1'), { requireTLS: false, secure: false, checked: false });
});

test('distinguishes a permanent refusal from a temporary one', async () => {
  const refusal = (code: number) => Object.assign(new Error('<person@example.org> no'), { responseCode: code });
  for (const [code, permanent] of [
    [550, true],
    [552, true],
    [450, false],
    [421, false],
  ] as const) {
    await using server = await startMailServer({ onRcptTo: (_address, _session, done) => done(refusal(code)) });
    const failure = await failureOf(mailerTo(server.url()).send(MAIL));
    assert.equal(failure.permanent, permanent, String(code));
    assert.match(failure.message, new RegExp(`\\b${code}\\b`));
  }
  await using server = await startMailServer({ onMailFrom: (_address, _session, done) => done(refusal(550)) });
  assert.equal((await failureOf(mailerTo(server.url()).send(MAIL))).permanent, false, 'the sender is a setting');
});

test('gives up with a temporary failure if the server is unreachable, silent or never finishes', async () => {
  const sockets = new Set<Socket>();
  const start = async (greet: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      greet(socket);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
  };
  const drip = (socket: Socket) => {
    socket.write('220 mail.example\r\n');
    const timer = setInterval(() => socket.write('250-still here\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const silent = await start(() => {});
  const mute = await start((socket) => socket.write('220 mail.example\r\n'));
  const endless = await start(drip);
  const away = await start(() => {});
  await new Promise((closed) => setImmediate(closed));
  away.close();
  for (const { url } of [silent, mute, endless, away]) {
    const failure = await failureOf(mailerTo(url, 150).send(MAIL));
    assert.deepEqual([failure.permanent, failure.uncertain], [false, false]);
    assert.match(failure.message, url === away.url ? /ECONNECTION|ESOCKET|ECONNREFUSED/ : /ETIMEDOUT/);
  }
  for (const { close } of [silent, mute, endless]) close();
  for (const socket of sockets) socket.destroy();
});

test('distinguishes a missing mailbox from a refused mail', async () => {
  const cases: [code: number, text: string, badAddress: boolean][] = [
    [550, '5.1.1 no such user', true],
    [550, '5.2.1 closed', true],
    [550, 'no such user here', true],
    [550, 'no', false],
    [550, '5.1.8 sender address rejected: domain not found', false],
    [552, '5.2.2 full', false],
    [552, 'full', false],
    [550, '5.7.1 we do not like your address', false],
    [450, '4.1.1 not now', false],
  ];
  for (const [responseCode, text, badAddress] of cases) {
    const refusal = Object.assign(new Error(text), { responseCode });
    await using server = await startMailServer({ onRcptTo: (_address, _session, done) => done(refusal) });
    const failure = await failureOf(mailerTo(server.url()).send(MAIL));
    assert.deepEqual([failure.badAddress, failure.uncertain], [badAddress, false], text);
    assert.equal(failure.permanent, responseCode >= 500, text);
  }
  // Some servers check the mailbox after the email. Their text may then be about anything in it.
  for (const [text, badAddress] of [
    ['5.7.1 spam', false],
    ['5.1.1 no such user', true],
    ['no such user', false],
  ] as const) {
    const before = ['220 mail.example', '250 mail.example', '250 sender', '250 recipient'];
    for (const replies of [
      [...before, `550 ${text}`],
      [...before, '354 go on', `550 ${text}`],
    ]) {
      await using server = await scripted(replies);
      const failure = await failureOf(mailerTo(server.url).send(MAIL));
      const { permanent, uncertain } = failure;
      assert.deepEqual([permanent, failure.badAddress, uncertain], [true, badAddress, false], replies.join());
    }
  }
});

/** Starts a server with a scripted reply to each line, which closes the connection after the last one. */
async function scripted(replies: readonly string[]) {
  const sockets: Socket[] = [];
  const lines: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    const script = [...replies];
    socket.write(`${script.shift()}\r\n`);
    socket.on('data', (chunk) => {
      lines.push(String(chunk));
      const next = script.shift();
      if (next === undefined) socket.destroy();
      else if (next !== '') socket.write(`${next}\r\n`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    lines,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

test('reports whether an email may have arrived', async () => {
  const before = ['220 mail.example', '250 mail.example', '250 sender', '250 recipient'];
  const dropped: [replies: readonly string[], uncertain: boolean][] = [
    [['220 mail.example'], false],
    [before.slice(0, 2), false],
    [before.slice(0, 3), false],
    [before, false],
    [[...before, '354 go on'], true],
    [[...before, '451 not now'], false],
    [[...before, '354 go on', '451 not now'], false],
    [[...before, '354 go on', '421 closing'], false],
    // Neither acceptance nor refusal.
    [[...before, '354 go on', '354 go on'], true],
    [[...before, '354 go on', 'what?'], true],
    [[...before, '354 go on', '999 what?'], true],
    [[...before, 'what?'], false],
  ];
  for (const [replies, uncertain] of dropped) {
    await using server = await scripted(replies);
    const failure = await failureOf(mailerTo(server.url, 1_000).send(MAIL));
    assert.deepEqual([failure.uncertain, failure.permanent], [uncertain, false], `after ${replies.at(-1)}`);
  }
  await using silent = await startMailServer({ reply: () => 'nothing' });
  assert.equal((await failureOf(mailerTo(silent.url(), 150).send(MAIL))).uncertain, true, 'no reply to the email');
  assert.equal(silent.mails.length, 1);
});

test('does not send an email after it has given up', async () => {
  const lines: string[] = [];
  const late = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 mail.example\r\n');
    socket.on('data', async (chunk) => {
      lines.push(String(chunk));
      // Never silent for long, but replies to RCPT only after the mailer has given up.
      for (let drips = 0; String(chunk).startsWith('RCPT') && drips < 15; drips++) {
        socket.write('250-a moment\r\n');
        await new Promise((next) => setTimeout(next, 20));
      }
      socket.write(String(chunk).startsWith('DATA') ? '354 go on\r\n' : '250 fine\r\n');
      if (String(chunk).startsWith('RCPT')) setTimeout(late.resolve, 100);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  const failure = await failureOf(mailerTo(`smtp://127.0.0.1:${port}`, 75).send(MAIL));
  assert.equal(failure.uncertain, false);
  await late.promise;
  assert.deepEqual(
    lines.map((line) => line.slice(0, 4)),
    ['EHLO', 'MAIL', 'RCPT'],
  );
  server.close();
});

test('delivers HTML, images, extra headers and the message id', async () => {
  await using server = await startMailServer();
  const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
  const link = `<https://almanac.example/out?token=${'x'.repeat(200)}>`;
  await mailerTo(server.url()).send({
    ...MAIL,
    html: '<p>A line. <img src="cid:one@here" alt="a chart"></p>',
    images: [{ cid: 'one@here', filename: 'one.png', png }],
    headers: { 'List-Unsubscribe': link },
    messageId: '<one@almanac.example>',
  });
  const [mail] = server.mails;
  assert.ok(mail);
  assert.deepEqual(
    mail.parts.map(({ type }) => type),
    ['text/plain', 'text/html', 'image/png'],
  );
  assert.equal(mail.text.trimEnd(), MAIL.text.trimEnd());
  assert.deepEqual(mail.parts[2]?.bytes, png);
  assert.ok(mail.parts[2]?.headers.includes('Content-ID: <one@here>'), mail.parts[2]?.headers.join());
  assert.deepEqual(header(mail, 'list-unsubscribe'), [link]);
  assert.deepEqual(header(mail, 'message-id'), ['<one@almanac.example>']);
  assert.deepEqual(header(mail, 'auto-submitted'), ['auto-generated']);
});

test('checks once whether an email is still wanted when the server accepts DATA', async () => {
  const before = ['220 mail.example', '250 mail.example', '250 sender', '250 recipient', '354 go on'];
  for (const [isStillWanted, withdrawn] of [
    [async () => false, true],
    [async () => Promise.reject(new Error('no reply about person@example.org')), false],
  ] as const) {
    await using server = await scripted([...before, '250 taken']);
    const failure = await failureOf(mailerTo(server.url).send(MAIL, { isStillWanted }));
    const { permanent, uncertain } = failure;
    assert.deepEqual([failure.withdrawn, permanent, uncertain], [withdrawn, false, false]);
    assert.equal(server.lines.at(-1)?.trim(), 'DATA', 'no line of the email was sent');
  }
  await using server = await startMailServer();
  const mailsAtCheck: number[] = [];
  const isStillWanted = async () => mailsAtCheck.push(server.mails.length) > 0;
  await mailerTo(server.url()).send(MAIL, { isStillWanted });
  assert.deepEqual([mailsAtCheck, server.mails.length], [[0], 1]);
});

test('does not send an email that fails or is confirmed while its sender checks if it is still wanted', async () => {
  const before = ['220 mail.example', '250 mail.example', '250 sender', '250 recipient'];
  for (const [reply, timeoutMs] of [
    ['354 go on', 100],
    ['354 go on\r\n421 too slow', 2_000],
    ['354 go on\r\n250 taken', 2_000],
  ] as const) {
    await using server = await scripted([...before, reply, '250 taken']);
    const wanted = Promise.withResolvers<boolean>();
    const sending = mailerTo(server.url, timeoutMs).send(MAIL, { isStillWanted: () => wanted.promise });
    const failure = await failureOf(sending);
    wanted.resolve(true);
    await new Promise((later) => setTimeout(later, 50));
    assert.deepEqual([failure.uncertain, failure.permanent], [false, false], reply);
    assert.equal(server.lines.at(-1)?.trim(), 'DATA', reply);
  }
});
