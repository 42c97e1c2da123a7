/** One mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** In addition to the headers of every mail. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With angle brackets; generated if omitted. The same id for each attempt lets a mailbox recognize duplicates. */
  readonly messageId?: string;
  /** The images that the HTML shows as `cid:…`. */
  readonly images?: readonly MailImage[];
}

export interface MailImage {
  readonly cid: string;
  readonly filename: string;
  readonly png: Buffer;
}

export interface SendOptions {
  /**
   * Called once, at the last moment at which a mail can be withdrawn: the server has accepted DATA and nothing of the text
   * has been sent. With a slow server that is long after the call to `send`. When it returns false or fails, nothing is
   * sent. Without it the mail is always sent.
   */
  readonly isStillWanted?: () => Promise<boolean>;
}

export interface Mailer {
  /** False without a mail server: mails are then written to the log. */
  readonly delivers: boolean;
  /** Resolves when the mail server has accepted the mail; rejects with a `MailError` otherwise. */
  send(mail: Mail, options?: SendOptions): Promise<void>;
}

export interface MailErrorTraits {
  readonly permanent?: boolean;
  readonly badAddress?: boolean;
  readonly uncertain?: boolean;
  readonly withdrawn?: boolean;
}

/**
 * A mail that was not sent. The error contains neither the recipient nor the credentials of the server, so that it can be
 * logged and stored with a job.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the mail server will never accept this mail, so that a retry is useless. */
  readonly permanent: boolean;
  /** Whether it will accept no other mail to this address either. */
  readonly badAddress: boolean;
  /** Whether the mail was sent without a reply, so that it may arrive. A retry may deliver it twice. */
  readonly uncertain: boolean;
  /** Whether the mail was withdrawn before it was sent (`SendOptions.isStillWanted`). */
  readonly withdrawn: boolean;

  constructor(message: string, traits: MailErrorTraits = {}) {
    super(message);
    this.permanent = traits.permanent ?? false;
    this.badAddress = traits.badAddress ?? false;
    this.uncertain = traits.uncertain ?? false;
    this.withdrawn = traits.withdrawn ?? false;
  }
}
