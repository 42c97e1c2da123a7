/** One mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends mails. */
export interface Mailer {
  /** Resolves when the mail server has taken the mail; rejects with a `MailError` otherwise. */
  send(mail: Mail): Promise<void>;
}

/**
 * A mail that did not go out. It says nothing of the recipient and nothing of the server's credentials, so that it can
 * be logged and kept beside a job.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True: the mail server will never take this mail, so there is no use in trying again. */
  readonly permanent: boolean;

  constructor(message: string, { permanent = false } = {}) {
    super(message);
    this.permanent = permanent;
  }
}
