import { createServer, type Socket } from 'node:net';
import { type MailPart, mailParts } from './mail-parts.ts';

/** The stages of a delivery, in order. */
export type MailStage = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA';

/** A mail server that delays one stage of its first email. */
export interface SlowMailServer extends AsyncDisposable {
  readonly url: string;
  /** The parts of each accepted mail. */
  readonly mails: readonly (readonly MailPart[])[];
}

/** Starts a server that accepts every email, but replies to one stage of the first email only after `meanwhile`. */
export async function startSlowMailServer(
  stage: MailStage,
  meanwhile: () => Promise<unknown>,
): Promise<SlowMailServer> {
  const mails: MailPart[][] = [];
  const sockets: Socket[] = [];
  let isFirst = true;
  const delay = async (current: string) => {
    if (current !== stage || !isFirst) return;
    isFirst = false;
    await meanwhile();
  };
  const server = createServer(async (socket) => {
    sockets.push(socket.on('error', () => {}));
    let source: string | null = null;
    socket.on('data', async (chunk) => {
      if (source === null) {
        const [command = ''] = String(chunk).trim().split(/[ :]/);
        await delay(command);
        if (command === 'DATA') source = '';
        socket.write(command === 'DATA' ? '354 go on\r\n' : '250 fine\r\n');
        return;
      }
      source += String(chunk);
      if (!source.endsWith('\r\n.\r\n')) return;
      mails.push(mailParts(source.slice(0, -5)));
      source = null;
      socket.write('250 taken\r\n');
    });
    await delay('greeting');
    socket.write('220 mail.example\r\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
