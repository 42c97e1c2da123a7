/** One mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Beside those that every mail has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With angle brackets. Left out: one is made up. The same for each attempt lets a mailbox see that two are one. */
  readonly messageId?: string;
  /** What the HTML shows as `cid:…`. */
  readonly images?: readonly MailImage[];
}

export interface MailImage {
  readonly cid: string;
  readonly filename: string;
  readonly png: Buffer;
}

export interface SendOptions {
  /**
   * Asked once, at the last moment at which a mail can be taken back: when the server has said that it wants the text,
   * and nothing of it has left. With a slow server that is long after the call. False, or a failure to answer: nothing
   * is sent, and that is certain. Left out: the mail is wanted, whatever happens meanwhile.
   */
  readonly isStillWanted?: () => Promise<boolean>;
}

/** Sends mails. */
export interface Mailer {
  /** False where there is no mail server, and a mail is written down here instead of reaching anybody. */
  readonly delivers: boolean;
  /** Resolves when the mail server has taken the mail; rejects with a `MailError` otherwise. */
  send(mail: Mail, options?: SendOptions): Promise<void>;
}

export interface MailErrorTraits {
  readonly permanent?: boolean;
  readonly badAddress?: boolean;
  readonly uncertain?: boolean;
  readonly withdrawn?: boolean;
}

/**
 * A mail that did not go out. It says nothing of the recipient and nothing of the server's credentials, so that it can
 * be logged and kept beside a job.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True: the mail server will never take this mail, so there is no use in trying again. */
  readonly permanent: boolean;
  /** True: it will take no other mail to this address either. */
  readonly badAddress: boolean;
  /** True: the mail was handed over and no answer came, so that it may arrive. Sending it again may send it twice. */
  readonly uncertain: boolean;
  /** True: it was no longer wanted when the server was ready for it (`SendOptions.isStillWanted`). */
  readonly withdrawn: boolean;

  constructor(message: string, traits: MailErrorTraits = {}) {
    super(message);
    this.permanent = traits.permanent ?? false;
    this.badAddress = traits.badAddress ?? false;
    this.uncertain = traits.uncertain ?? false;
    this.withdrawn = traits.withdrawn ?? false;
  }
}
